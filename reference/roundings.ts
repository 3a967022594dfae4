/**
 * What bounds of f32 results are derived with. References that such bounds belong to compute in f64
 * with plain operators: each of those rounds to f64, once.
 *
 * Source: Higham, "Accuracy and Stability of Numerical Algorithms", chapter 3.
 */

/** Values and how far from each an f32 kernel may be. */
export interface BoundedValues {
  /** f64. */
  readonly values: Float64Array;
  /** f64, at least 0, for each value. */
  readonly bounds: Float64Array;
}

/** The relative error of one rounding to f32: half a unit in the last place of 1. */
export const ROUNDING = 2 ** -24;

/** What WGSL allows to be flushed to zero is smaller than this. */
export const SMALLEST_NORMAL = 2 ** -126;

/**
 * The largest relative error that `count` roundings one after the other can make together:
 * (1 + u)^count − 1, from above. One unit in the last place counts as two roundings.
 */
export function roundings(count: number): number {
  return count * ROUNDING / (1 - count * ROUNDING);
}

/** Roundings that WGSL's division counts as, where the divisor is from 2^-126 to 2^126: 2.5 ulp. */
export const DIVISION_ROUNDINGS = 5;

/** Roundings that WGSL's inverseSqrt counts as: 2 ulp. */
export const INVERSE_ROOT_ROUNDINGS = 4;

/**
 * The relative error of WGSL's exp(x): 3 + 2 |x| units in the last place, each at most 2^-23 of the
 * result. A result below {@linkcode SMALLEST_NORMAL} may be flushed besides.
 */
export function expError(x: number): number {
  return (3 + 2 * Math.abs(x)) * 2 * ROUNDING;
}
