/**
 * A diagnosis as text.
 *
 * @module
 */
import type { Consensus } from "../diagnose/consensus.ts";
import type { Diagnosis } from "../diagnose/diagnose.ts";
import { type Explanation, isComplete as isCompleteOne } from "../diagnose/explain.ts";

export function diagnosisLines(diagnosis: Diagnosis): string[] {
  const { blame, cause, picture, corners, ranked, isComplete } = diagnosis;
  const [best] = ranked;
  const same = ranked.slice(1).filter(isCompleteOne);
  return [
    `blame    ${blame}`,
    `cause    ${cause}`,
    ...isComplete && best ? [`         ${proportion(best)}`] : [],
    ...same.map((one) => `or       ${one.cause}: this case cannot tell them apart`),
    `where    ${picture}`,
    ...corners.map((corner, i) => `${i === 0 ? "corners" : "       "}  ${corner}`),
    ...(isComplete ? [] : ranked).map((one, i) =>
      `${i === 0 ? "near" : "    "}     ${one.explained} of ${one.differing}: ${one.cause}`
    ),
  ];
}

/** What all failing checks of a kernel together say. */
export function consensusLines(kernel: string, consensus: Consensus): string[] {
  const { cause, blame, explains, of } = consensus;
  return [
    `CAUSE  ${kernel}: ${cause}`,
    `  blame ${blame}; it explains ${explains} of ${of} checks looked into, each alone and wholly`,
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
