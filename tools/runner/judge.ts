/**
 * From an output to a verdict.
 *
 * @module
 */
import type { Bounds } from "../../cases/bounded.ts";
import type { Case } from "../../cases/mod.ts";
import { compareOutput, type Output } from "./compare.ts";
import { largestShare } from "./held.ts";
import { judgeStrips, type StripDigests } from "./strips.ts";
import type { Mismatch, Verdict } from "./verdict.ts";

/** A case made ready for the kernels that run it. */
export interface Loaded {
  readonly subject: Case;
  readonly input: unknown;
  /** The whole grid; zeros where the golden holds digests, so that every word is poisoned a NaN. */
  readonly expected: Uint32Array;
  readonly strips?: StripDigests;
  readonly bounds?: Bounds;
}

/** Holds an output against its case's golden. */
export async function judge(loaded: Loaded, output: Output): Promise<Verdict> {
  const { subject: { family }, input, expected, strips, bounds } = loaded;
  const grid = family.grid(input);
  if (strips) {
    const verdict = await judgeStrips(
      strips,
      output,
      grid,
      family.words,
      (rows) => family.reference(input, rows),
    );
    return verdict.kind === "differ" ? differ(loaded, verdict.mismatch) : verdict;
  }
  const mismatch = compareOutput(expected, output, grid, family.words, bounds);
  if (mismatch) return differ(loaded, mismatch);
  const share = bounds && largestShare(bounds, output.repeats);
  return { kind: "pass", words: expected.length, ...(share !== undefined && { share }) };
}

function differ({ subject: { family }, input }: Loaded, mismatch: Mismatch): Verdict {
  const part = mismatch.first && family.partAt?.(input, mismatch.first.row);
  return { kind: "differ", mismatch: { ...mismatch, ...(part && { part }) } };
}
