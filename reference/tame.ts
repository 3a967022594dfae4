/**
 * Tame numbers: what of f32 every adapter treats alike. They are +0, all sizes from 2^-125 to below
 * 2^127 with both signs, and one NaN. A result below is +0, a result above is NaN.
 *
 * Adapters may flush what is below 2^-126, before or after they round, and lose the sign of a zero; some
 * may not even make an infinity of what overflows. A result of 2^-125 or more, and below 2^127, is the
 * same on all of them, and one outside is recognized by its exponent, whatever an adapter made of it.
 *
 * Every function takes tame numbers and gives one; {@linkcode tame} makes them.
 *
 * @module
 */

import { addF32, divF32, mulF32, sqrtF32 } from "./f32.ts";

/** The smallest size that is not zero. */
export const TAME_LEAST = 2 ** -125;

/** All sizes are below. */
export const TAME_END = 2 ** 127;

/** An f32 as a tame number: −0 and subnormals are +0, infinities are NaN. */
export function tame(x: number): number {
  const size = Math.abs(x);
  if (size < TAME_LEAST) return 0;
  return size < TAME_END ? x : NaN;
}

/** a + b, rounded once. */
export function addTame(a: number, b: number): number {
  return tame(addF32(a, b));
}

/** a · b, rounded once. */
export function mulTame(a: number, b: number): number {
  return tame(mulF32(a, b));
}

/** a / b, rounded once; NaN where b is 0. */
export function divTame(a: number, b: number): number {
  return b === 0 ? NaN : tame(divF32(a, b));
}

/** √a, rounded once; NaN where a is below 0. */
export function sqrtTame(a: number): number {
  return tame(sqrtF32(a));
}

/** Chains of a {@linkcode treeSumTame}. */
const CHAINS = 64;

/**
 * Order: 64 chains, of which chain j adds the values j, j + 64, j + 128, … to +0 one after the other;
 * then chain j and chain j + 32, j < 32, and so on by halves.
 *
 * The sum of tame numbers.
 */
export function treeSumTame(values: ArrayLike<number>): number {
  const chains = new Float32Array(CHAINS);
  for (let i = 0; i < values.length; i++) {
    chains[i % CHAINS] = addTame(chains[i % CHAINS], values[i]);
  }
  for (let half = CHAINS / 2; half >= 1; half /= 2) {
    for (let j = 0; j < half; j++) chains[j] = addTame(chains[j], chains[j + half]);
  }
  return chains[0];
}
