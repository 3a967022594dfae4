/**
 * Named ways to fill gates and what they let through, as f32 bits.
 *
 * @module
 */
import { below, type Random } from "../random.ts";
import { f32Word, highWord, lowWord, signedWord, wordOfExponent } from "../tame_words.ts";

/** Draws a gate and its `up`. */
export type GateFill = (random: Random) => readonly [gate: number, up: number];

/** What a layer's projections give: mostly from 2^-6 to 2^3. */
const layer = (random: Random) => wordOfExponent(random, 121, 130);

/** Within a unit in the last place of a whole number of half turns of 2: where k changes. */
const turn = (random: Random) =>
  signedWord(random, f32Word((below(random, 250) + 1) * Math.LN2 / 2) + below(random, 3) - 1);

export const FILLS: Readonly<Record<string, GateFill>> = {
  layer: (random) => [layer(random), layer(random)],
  turns: (random) => [turn(random), layer(random)],
  /** Gates around those whose power is as small as there is, and products around 2^-125. */
  ends: (random) => [
    signedWord(random, f32Word(82 + below(random, 12)) + (random() >>> 13)),
    wordOfExponent(random, 100, 140),
  ],
  /** Gates that are nearly 0. */
  small: (random) => [wordOfExponent(random, 2, 110), wordOfExponent(random, 100, 240)],
  any: (random) => [wordOfExponent(random, 0, 256), wordOfExponent(random, 0, 256)],
  low: (random) =>
    below(random, 2) ? [lowWord(random), layer(random)] : [layer(random), lowWord(random)],
  high: (random) =>
    below(random, 2) ? [highWord(random), layer(random)] : [layer(random), highWord(random)],
};
