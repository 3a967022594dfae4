/**
 * A comparison of two texts for a terminal or a log.
 *
 * @module
 */
import type { AbResult, TextPair } from "../timing/ab.ts";
import { intervalText, nsText, percentText, verdictText } from "./times.ts";

/** What is compared, then a block for each case. */
export function abLines({ a, b }: TextPair, results: readonly AbResult[]): string[] {
  const width = Math.max(a.kernel.length, b.kernel.length);
  return [
    `${a.kernel.padEnd(width)}  A ${a.file}`,
    `${(a.kernel === b.kernel ? "" : b.kernel).padEnd(width)}  B ${b.file}`,
    ...results.flatMap(({ address, medianNs, same, comparison }) => [
      `  ${address}`,
      `    A       ${nsText(medianNs.A).padStart(9)}`,
      `    A again ${nsText(medianNs["A again"]).padStart(9)}   ${intervalText(same.ratio)}: ` +
      `equal texts, noise ${percentText(comparison.noise)}`,
      `    B       ${nsText(medianNs.B).padStart(9)}   ${intervalText(comparison.ratio)}`,
      `    ${verdictText(comparison)}`,
    ]),
    "",
  ];
}
