/**
 * Softmax in tame f32, in one order that every kernel keeps.
 *
 * Source: e^(x − max) / Σ e^(x − max).
 *
 * @module
 */

import { expTame } from "./exp_tame.ts";
import { addTame, divTame, tame, TAME_END, treeSumTame } from "./tame.ts";

/**
 * Order: the powers of x − max in a tree of 64 chains (`treeSumTame`), then each divided by the sum. Each
 * operation is rounded.
 *
 * A value of −2^127 or below, −infinity too, is masked: its weight is +0. Where all are masked, all
 * weights are +0. Where one is NaN, or 2^127 or above, all are NaN.
 *
 * @param values at least one f32
 */
export function softmaxExact(values: Float32Array): Float32Array<ArrayBuffer> {
  const open = values.filter((x) => !(x <= -TAME_END));
  const largest = open.map(tame).reduce((a, b) => b > a || Number.isNaN(b) ? b : a, -Infinity);
  if (Number.isNaN(largest)) return new Float32Array(values.length).fill(NaN);
  const powers = Float32Array.from(values, (x) => {
    if (x <= -TAME_END) return 0;
    const below = addTame(tame(x), -largest);
    return Number.isNaN(below) ? 0 : expTame(below); // a difference below −2^127
  });
  const sum = treeSumTame(powers);
  return powers.map((power) => power === 0 ? 0 : divTame(power, sum));
}
