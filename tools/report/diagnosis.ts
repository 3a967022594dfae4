/**
 * A diagnosis as text.
 *
 * @module
 */
import type { Consensus } from "../diagnose/consensus.ts";
import type { Diagnosis } from "../diagnose/diagnose.ts";
import { type Explanation, isComplete as isCompleteOne } from "../diagnose/explain.ts";
import type { Departure } from "../diagnose/trace.ts";
import { counted, f32Text, hex } from "./numbers.ts";

export function diagnosisLines(diagnosis: Diagnosis): string[] {
  const { blame, cause, picture, corners, ranked, isComplete, departure } = diagnosis;
  const [best] = ranked;
  const same = ranked.slice(1).filter(isCompleteOne);
  return [
    `blame    ${blame}`,
    `cause    ${cause}`,
    ...isComplete && best ? [`         ${proportion(best)}`] : [],
    ...isComplete && best?.againstTrace ? [`         ${ANOTHER_WAY}`] : [],
    ...same.map((one) =>
      `or       ${one.cause}: ${
        one.againstTrace ? ANOTHER_WAY : "this case cannot tell them apart"
      }`
    ),
    `where    ${picture}`,
    ...(departure === undefined ? [] : departureLines(departure)),
    ...corners.map((corner, i) => `${i === 0 ? "corners" : "       "}  ${corner}`),
    ...(isComplete ? [] : ranked).map((one, i) =>
      `${i === 0 ? "near" : "    "}     ${one.explained} of ${one.differing}: ${one.cause}`
    ),
  ];
}

const ANOTHER_WAY = "it gives the same words, but not by the steps that were traced";

/** The first wrong step of a word, with both bit patterns. */
function departureLines(departure: Departure | string): string[] {
  if (typeof departure === "string") {
    return [`first    the first wrong step is not known: ${departure}`];
  }
  const { row, col, lane, block, step, expected, actual, place } = departure;
  const at = place ? ` (${place.file}:${place.line})` : "";
  const word = `row ${row}, column ${col}`;
  if (lane === undefined) {
    return [`first    ${word}: all eight lanes are right; what joins or stores them is not${at}`];
  }
  const what = step === "sum" ? "the sum over the blocks so far" : `sub-block ${step}`;
  const values = expected === undefined
    ? "there is no such block"
    : actual === undefined
    ? `expected ${hex(expected)}, and the step never came`
    : `expected ${hex(expected)} (${f32Text(expected)}), got ${hex(actual)} (${f32Text(actual)})`;
  return [
    `first    ${word}, lane ${lane}, block ${block}, ${what}: ${values}${at}`,
    ...(place ? [`         ${place.source.trim()}`] : []),
  ];
}

/** What all failing checks of a kernel together say. */
export function consensusLines(kernel: string, consensus: Consensus): string[] {
  const { cause, blame, explains, of, first } = consensus;
  return [
    `CAUSE  ${kernel}: ${cause ?? "not known"}`,
    cause === undefined
      ? `  blame ${blame}; no known cause explains the ${counted(of, "check")} looked into`
      : `  blame ${blame}; it explains ${explains} of ${
        counted(of, "check")
      } looked into, each alone and wholly`,
    ...(first
      ? [
        `  in ${first.checks} of them the first wrong step is ${first.place.file}:${first.place.line}: ` +
        first.place.source.trim(),
      ]
      : []),
    "",
  ];
}

/** How much a cause explains. */
function proportion({ explained, differing, contradicted, agreeing }: Explanation): string {
  const rest = agreeing === 0
    ? ""
    : contradicted === 0
    ? `, and no agreeing one of ${agreeing},`
    : `, but ${contradicted} of ${agreeing} agreeing ones too,`;
  return `all ${explained} of ${differing} differing words looked at${rest} are explained by it`;
}
