/**
 * RMSNorm in f64, with a bound for each element of what an f32 kernel may differ by.
 *
 * Source: RMSNorm as Qwen3 has it, y = x / √(mean(x²) + ε) · w. The bound is derived below.
 */

import {
  type BoundedValues,
  DIVISION_ROUNDINGS,
  INVERSE_ROOT_ROUNDINGS,
  roundings,
  SMALLEST_NORMAL,
} from "./roundings.ts";

/**
 * Additions that a square passes through on its way into the sum: a kernel sums in at least 32
 * chains of equal length and joins them in pairs, or in any way that is no deeper.
 */
export function rmsNormDepth(n: number): number {
  return Math.ceil(n / 32) + 5;
}

/** What a column is multiplied by. */
export interface InverseRoot {
  /** 1 / √(mean(x²) + ε). */
  readonly root: number;
  /** How far a kernel's may be from it before its inverseSqrt is rounded, relative to its size. */
  readonly error: number;
}

/**
 * Order: none is prescribed; the sum of squares is at most {@linkcode rmsNormDepth} additions deep.
 *
 * The bound, in units u = 2^-24 of one rounding. WGSL rounds +, −, × once, whether or not they are
 * contracted; its division may be off by 2.5 ulp, which is 5 u.
 *
 * - A square is rounded once, then d times as it is added, and all terms have one sign: the sum's
 *   relative error is at most d + 1 roundings. Its division by n: 5 more. A flushed square adds at most
 *   2^-126 to the mean.
 * - ε is added: the mean's error weighs as much as the mean does in mean + ε, and one rounding more.
 * - The root halves a relative error: for |e| ≤ 1/4, |(1 + e)^-1/2 − 1| ≤ |e|/2 + |e|², which is
 *   bounded here by the exact (1 − e)^-1/2 − 1.
 *
 * @param x one column, n values, finite, squares without overflow
 * @param epsilon an f32
 */
export function inverseRoot(x: Float32Array, epsilon: number): InverseRoot {
  const n = x.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i] * x[i];
  const mean = sum / n;
  const meanError = mean * roundings(rmsNormDepth(n) + 1 + DIVISION_ROUNDINGS) + SMALLEST_NORMAL;
  const shifted = meanError / (mean + epsilon) * (1 + roundings(1)) + roundings(1);
  return { root: 1 / Math.sqrt(mean + epsilon), error: 1 / Math.sqrt(1 - shifted) - 1 };
}

/**
 * Order: that of {@linkcode inverseRoot}; then x · root, then times the weight.
 *
 * The bound beside the root's: WGSL's inverseSqrt may be off by 2 ulp, 4 roundings, and two products
 * are 2. A flushed x, x · root or result: 2^-126 each, times what it is multiplied by.
 *
 * f64 adds n + 4 roundings of 2^-53, 2^-40 for n ≤ 4,096: less than 10^-4 of the bound.
 *
 * @param x one column, n values, finite, squares without overflow
 * @param weight n values
 * @param epsilon an f32
 */
export function rmsNorm(x: Float32Array, weight: Float32Array, epsilon: number): BoundedValues {
  const n = x.length;
  const { root, error } = inverseRoot(x, epsilon);
  const relative = (1 + error) * (1 + roundings(INVERSE_ROOT_ROUNDINGS + 2)) - 1 +
    (n + 4) * 2 ** -53;
  const values = new Float64Array(n), bounds = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    values[i] = x[i] * root * weight[i];
    const flushed = Math.abs(x[i]) < SMALLEST_NORMAL
      ? Math.abs(values[i])
      : SMALLEST_NORMAL * Math.abs(weight[i]) + SMALLEST_NORMAL;
    bounds[i] = Math.abs(values[i]) * relative + flushed;
  }
  return { values, bounds };
}
