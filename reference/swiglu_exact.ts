/**
 * SwiGLU in tame f32, in one order that every kernel keeps.
 *
 * Source: silu(gate) · up with silu(g) = g / (1 + e^-g).
 *
 * @module
 */

import { expTame } from "./exp_tame.ts";
import { addTame, divTame, mulTame, tame } from "./tame.ts";

/**
 * Order: t = e^-|gate|; then (gate / (1 + t)) · up, where the gate is below 0 ((gate · t) / (1 + t)) · up,
 * so that no power is above 1. Each operation is rounded.
 *
 * NaN where the gate or `up` is no tame number. A gate below about −86.6 gives +0, where the
 * true silu is below 2^-118 in size.
 */
export function swigluExact(gate: number, up: number): number {
  const g = tame(gate);
  const t = expTame(-Math.abs(g));
  const top = g < 0 ? mulTame(g, t) : g;
  return mulTame(divTame(top, addTame(1, t)), tame(up));
}
