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
import type { Verdict } from "./verdict.ts";

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
    return await judgeStrips(
      strips,
      output,
      grid,
      family.words,
      (rows) => family.reference(input, rows),
    );
  }
  const mismatch = compareOutput(expected, output, grid, family.words, bounds);
  if (mismatch) return { kind: "differ", mismatch };
  const share = bounds && largestShare(bounds, output.repeats);
  return { kind: "pass", words: expected.length, ...(share !== undefined && { share }) };
}
