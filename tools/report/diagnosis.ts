/**
 * A diagnosis as text.
 *
 * @module
 */
import type { Diagnosis } from "../diagnose/diagnose.ts";
import type { Explanation } from "../diagnose/explain.ts";

export function diagnosisLines(diagnosis: Diagnosis): string[] {
  const { blame, cause, picture, corners, ranked, isComplete } = diagnosis;
  const [best, ...others] = ranked;
  return [
    `blame    ${blame}`,
    `cause    ${cause}`,
    ...isComplete && best ? [`         ${proportion(best)}`] : [],
    `where    ${picture}`,
    ...corners.map((corner, i) => `${i === 0 ? "corners" : "       "}  ${corner}`),
    ...(isComplete ? [] : ranked.length === 0 ? [] : [best!, ...others]).map((one, i) =>
      `${i === 0 ? "near" : "    "}     ${one.explained} of ${one.differing}: ${one.cause}`
    ),
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
