/**
 * Rotary position embedding in f64, with a bound for each element of what an f32 kernel may differ by.
 *
 * Source: RoPE as Qwen3 has it: the elements d and d + half of a head are turned as a pair,
 * (a cos − b sin, b cos + a sin). The bounds are derived below.
 */

import { inverseRoot } from "./rms_norm.ts";
import {
  type BoundedValues,
  INVERSE_ROOT_ROUNDINGS,
  roundings,
  SMALLEST_NORMAL,
} from "./roundings.ts";

/** The cosines and sines of one position: one each for each pair of a head. */
export interface Rotation {
  /** f32. */
  readonly cos: Float32Array;
  /** f32. */
  readonly sin: Float32Array;
}

/** What of a head's element a rotation is given, and what that may have lost by flushes. */
interface Turned {
  readonly value: number;
  readonly flushed: number;
}

/**
 * The two terms of each element of a turned head. WGSL rounds a product and a sum once each, 2
 * roundings, on the sizes of the terms, |a cos| + |b sin|: they may cancel. What the elements lost by
 * flushes is multiplied as they are; a flushed product or result: 2^-126 each.
 *
 * @param common relative error that both elements of a pair share, which the result then has too
 * @param own roundings that each element has had by itself
 */
function turn(
  head: readonly Turned[],
  { cos, sin }: Rotation,
  common: number,
  own: number,
): BoundedValues {
  const half = cos.length;
  const values = new Float64Array(2 * half), bounds = new Float64Array(2 * half);
  for (let at = 0; at < 2 * half; at++) {
    const d = at % half;
    const [kept, crossed] = at < half ? [head[d], head[d + half]] : [head[d + half], head[d]];
    const straight = kept.value * cos[d];
    const across = (at < half ? -1 : 1) * crossed.value * sin[d];
    const size = Math.abs(straight) + Math.abs(across);
    values[at] = straight + across;
    bounds[at] = Math.abs(values[at]) * common +
      size * ((1 + common) * roundings(own + 2) + 2 ** -45) +
      (kept.flushed * Math.abs(cos[d]) + crossed.flushed * Math.abs(sin[d]) + 3 * SMALLEST_NORMAL);
  }
  return { values, bounds };
}

/** What a subnormal input may be read as: 0. */
const readAsZero = (x: number) => Math.abs(x) < SMALLEST_NORMAL ? Math.abs(x) : 0;

/**
 * One head, turned. Order: the two products, then their sum or difference.
 *
 * @param head finite, no product overflows
 */
export function rope(head: Float32Array, rotation: Rotation): BoundedValues {
  const turned = Array.from(head, (value) => ({ value, flushed: readAsZero(value) }));
  return turn(turned, rotation, 0, 0);
}

/**
 * One head, normalized as RMSNorm does and then turned. Order: that of `inverseRoot`; x · root, times
 * the weight; the two products; their sum or difference.
 *
 * Both elements of a pair have the same root, so that its error, with 4 roundings of inverseSqrt, is
 * the result's and not that of the terms' sizes. Each has two products of its own: 2 roundings. A
 * flushed x · root: 2^-126, times the weight; a flushed element: 2^-126. f64 adds some n + 8 of its
 * roundings: 2^-45 for n ≤ 248.
 *
 * @param x one head, n values, finite, squares without overflow
 * @param weight n values
 * @param epsilon an f32
 */
export function normRope(
  x: Float32Array,
  weight: Float32Array,
  epsilon: number,
  rotation: Rotation,
): BoundedValues {
  const { root, error } = inverseRoot(x, epsilon);
  const common = (1 + error) * (1 + roundings(INVERSE_ROOT_ROUNDINGS)) - 1;
  const head = Array.from(x, (value, i) => {
    const normed = value * root * weight[i];
    const flushed = readAsZero(value) > 0
      ? Math.abs(normed)
      : SMALLEST_NORMAL * (Math.abs(weight[i]) + 1);
    return { value: normed, flushed };
  });
  return turn(head, rotation, common, 2);
}
