/**
 * SwiGLU in f64, with a bound for each element of what an f32 kernel may differ by.
 *
 * Source: y = silu(gate) · up with silu(g) = g · σ(g) and σ(g) = 1 / (1 + e^-g), as Qwen3 has it. The
 * bound is derived below.
 */

import { EXP_F64_ERROR, expF64 } from "./exp.ts";
import {
  type BoundedValues,
  DIVISION_ROUNDINGS,
  expError,
  roundings,
  SMALLEST_NORMAL,
} from "./roundings.ts";

/**
 * Order: σ first, then g · σ, then times up. A kernel has e = exp(−|g|), which cannot overflow, and
 * σ(g) = 1 / (1 + e), or e / (1 + e) where g < 0.
 *
 * The bound, with u = 2^-24:
 *
 * - −|g| is exact; e is off by h = (3 + 2 |g|) · 2 u of its size by WGSL's own limit.
 * - What that is of σ's size: 1 / (1 + e (1 ± h)) is off by e h / (1 + e (1 − h)), and
 *   e (1 ± h) / (1 + e (1 ± h)), whose numerator and denominator move together, by h / (1 + e (1 − h)).
 * - 1 + e is rounded once, the division by a number from 1 to 2 may be off by 2.5 ulp, 5 u, and two
 *   products are rounded: 8 roundings.
 * - A flushed e or σ: 2^-126 each, times |g| · |up|; a flushed g · σ, times |up|; a flushed result. A
 *   subnormal g or up may be read as 0.
 *
 * @param gate finite
 * @param up finite, as many; no product overflows
 */
export function swiglu(gate: Float32Array, up: Float32Array): BoundedValues {
  const values = new Float64Array(gate.length), bounds = new Float64Array(gate.length);
  for (let i = 0; i < gate.length; i++) {
    const g = gate[i], size = Math.abs(g);
    const e = expF64(-size), h = expError(size);
    values[i] = g * ((g < 0 ? e : 1) / (1 + e)) * up[i];
    const sigmoid = (g < 0 ? h : e * h) / (1 + e * (1 - h));
    const relative = (1 + sigmoid) * (1 + roundings(1 + DIVISION_ROUNDINGS + 2)) - 1;
    const readAsZero = Math.min(size, Math.abs(up[i])) < SMALLEST_NORMAL ? Math.abs(values[i]) : 0;
    const flushed = (2 * size * Math.abs(up[i]) + Math.abs(up[i]) + 1) * SMALLEST_NORMAL;
    bounds[i] = Math.abs(values[i]) * (relative + 2 * EXP_F64_ERROR) + readAsZero + flushed;
  }
  return { values, bounds };
}
