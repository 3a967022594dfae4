/**
 * The index of the largest value: the token that greedy decoding takes.
 *
 * Source: "the first of equal maxima", as the engine's LM head has it; the rule for NaN is ours.
 */

import { f32OfBits } from "./f32.ts";

/**
 * The place of the first of the largest values. −0 equals +0. A NaN is never the largest; where all
 * values are NaN the place is 0.
 *
 * @param bits f32 bits
 * @throws {RangeError} if there are no values
 */
export function firstOfLargest(bits: Uint32Array): number {
  if (bits.length === 0) {
    throw new RangeError("Cannot find the largest of no values. Pass one at least.");
  }
  let place = 0;
  let largest: number | undefined;
  bits.forEach((word, i) => {
    const value = f32OfBits(word);
    if (value !== value) return;
    if (largest === undefined || value > largest) {
      largest = value;
      place = i;
    }
  });
  return place;
}
