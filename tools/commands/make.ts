/**
 * Making goldens where somebody watches: a bar on a terminal, and a difference between two
 * references shown like that of a kernel.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import type { FreshGolden } from "../goldens/fresh.ts";
import { Disagreement, makeGoldens, type Setup, type Wanted } from "../goldens/pool.ts";
import { thousands } from "../report/numbers.ts";
import { mismatchLines } from "../report/text.ts";
import { Bar } from "./bar.ts";

/** Goldens, and how fast they were made. */
export interface Made {
  readonly goldens: readonly FreshGolden[];
  /** For instance `274 goldens, 1,204 M weight products in 6.0 s: 201 M a second`. */
  readonly speed: string;
}

/** @throws {Failure} where two references differ, or a golden cannot be made */
export async function make(wanted: readonly Wanted[], setup: Setup): Promise<Made> {
  const begun = performance.now();
  const bar = new Bar(wanted.length, "goldens");
  try {
    const goldens = await makeGoldens(wanted, setup, (count) => bar.show(count));
    return { goldens, speed: speedText(goldens, (performance.now() - begun) / 1000) };
  } catch (error) {
    if (error instanceof Disagreement) throw disagreement(error, setup);
    throw error;
  } finally {
    bar.end();
  }
}

function speedText(goldens: readonly FreshGolden[], seconds: number): string {
  const products = goldens.reduce((sum, { subject, entry }) => {
    // Rows that repeat are computed once.
    const distinct = entry.words / (entry.rows * entry.cols);
    return sum + subject.family.cost(subject.parsed) * distinct;
  }, 0);
  const millions = (value: number) => thousands(Math.round(value / 1e6));
  return `${thousands(goldens.length)} goldens, ${millions(products)} M weight products in ` +
    `${seconds.toFixed(1)} s: ${millions(products / seconds)} M a second`;
}

function disagreement({ address, mismatch }: Disagreement, { engine }: Setup): Failure {
  const lines = [
    `DIFFER  ${engine!.file}: ${address}`,
    ...mismatchLines(mismatch).map((line) => `  ${line}`),
    `  again: deno task reference --wasm ${engine!.file} '${address}'`,
    "",
    "Two references differ (expected: ours; actual: the engine's), so that neither can be trusted.",
    "Nothing was written. Find which of them breaks the order of rounding that the first line of",
    "reference/q1_0.ts states, and mend that one.",
  ];
  return new Failure(EXIT.differs, lines.join("\n"));
}
