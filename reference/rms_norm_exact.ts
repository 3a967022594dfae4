/**
 * RMSNorm in tame f32, in one order that every kernel keeps.
 *
 * Source: RMSNorm as Qwen3 has it, y = x / √(mean(x²) + ε) · w.
 *
 * @module
 */

import { addTame, divTame, mulTame, sqrtTame, tame, treeSumTame } from "./tame.ts";

/**
 * Order: the squares in a tree of 64 chains (`treeSumTame`); mean = sum / n; scale = 1 / √(mean + ε);
 * then (x · scale) · w. Each operation is rounded.
 *
 * A column is NaN altogether where one of its values is NaN, infinite, or so large that the sum of
 * squares comes to 2^127.
 *
 * @param x one column of n f32
 * @param weight n f32
 * @param epsilon a tame number above 0
 */
export function rmsNormExact(
  x: Float32Array,
  weight: Float32Array,
  epsilon: number,
): Float32Array<ArrayBuffer> {
  const squares = x.map((value) => mulTame(tame(value), tame(value)));
  const mean = divTame(treeSumTame(squares), x.length);
  const scale = divTame(1, sqrtTame(addTame(mean, epsilon)));
  return Float32Array.from(x, (value, i) => mulTame(mulTame(tame(value), scale), tame(weight[i])));
}
