/**
 * The exponential function of tame numbers, built of additions and products in one order.
 *
 * Source: e^x = 2^-k · e^r with r = x + k · ln 2 (Cody and Waite's reduction in two steps), and
 * Taylor's polynomial for e^r.
 *
 * @module
 */

import { divF32, f32OfBits } from "./f32.ts";
import { addTame, mulTame } from "./tame.ts";

const LOG2_E = f32OfBits(0x3fb8aa3b);
/** Of 15 significant bits, so that its products with k, which is below 2^7, are exact. */
const LN_2_HIGH = f32OfBits(0x3f317200);
/** What ln 2 has beside it. */
const LN_2_LOW = f32OfBits(0x35bfbe8e);

/** From here on e^-size is below 2^-126. */
const END = 88;

/** 1/7!, 1/6! … 1/2!, each rounded. r^8/8! is below 2^-27.5 for |r| up to 0.35. */
const COEFFICIENTS = [5040, 720, 120, 24, 6, 2].map((factorial) => divF32(1, factorial));

/**
 * Order: k = ⌊|x| · log2 e + 1/2⌋; r = (x + k · high) + k · low; Horner's scheme from 1/7! down to
 * p = 1/2!; then 1 + (r + (r · r) · p), whose exponent k lowers. Each operation is rounded.
 *
 * e^x for a tame x that is not above 0: from 0 to 1; +0 where it is below 2^-125. Not correctly
 * rounded: tests/reference/exp_tame.test.ts says how far off it is.
 */
export function expTame(x: number): number {
  if (x <= -END) return 0;
  const halvings = Math.floor(addTame(mulTame(-x, LOG2_E), 0.5));
  if (Number.isNaN(halvings)) return NaN;
  const r = addTame(addTame(x, mulTame(halvings, LN_2_HIGH)), mulTame(halvings, LN_2_LOW));
  let p = COEFFICIENTS[0];
  for (const coefficient of COEFFICIENTS.slice(1)) p = addTame(mulTame(p, r), coefficient);
  const power = addTame(1, addTame(r, mulTame(mulTame(r, r), p)));
  return mulTame(power, 2 ** -halvings);
}
