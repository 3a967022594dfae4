/**
 * Named ways to fill columns of scores, as f32 bits.
 *
 * @module
 */
import { below, type Random } from "../random.ts";
import { f32Word, highWord, lowWord, signedWord, wordOfExponent } from "../tame_words.ts";

/** Draws the word at `index` of n. */
export type ScoreFill = (random: Random, index: number, n: number) => number;

/** What masks are made of: −infinity, the lowest f32, −2^127. */
const MASKS = [0xff800000, 0xff7fffff, 0xff000000];
const mask = (random: Random) => MASKS[below(random, MASKS.length)]!;

/** Up to 16 in size, all bits of it drawn. */
const score: ScoreFill = (random) => f32Word(((random() >>> 8) - 2 ** 23) * 2 ** -19);

const among = (share: number, other: (random: Random) => number): ScoreFill => (random, i, n) =>
  below(random, share) === 0 ? other(random) : score(random, i, n);

export const FILLS: Readonly<Record<string, ScoreFill>> = {
  score,
  /** All powers are 1, or nearly: the sum is long. */
  near: (random) => f32Word(5 + (random() >>> 12) * 2 ** -24),
  equal: () => f32Word(-3.25),
  /** What a decode step's mask leaves: the first part. */
  causal: (random, index, n) => 4 * index > 3 * n ? mask(random) : score(random, index, n),
  masked: among(2, mask),
  all_masked: (random) => mask(random),
  one_open: (random, index, n) => index === n >> 1 ? score(random, index, n) : mask(random),
  /** Differences around those whose power is as small as there is. */
  ends: (random, index) => index === 0 ? 0 : f32Word(-80 - below(random, 14)) + (random() >>> 14),
  low: among(3, lowWord),
  /** Up to 2^127 apart, and more. */
  far: (random) => wordOfExponent(random, 240, 254),
  any: (random) => wordOfExponent(random, 0, 253),
  /** Some columns with one word that is no number. */
  high: (random, index, n) => below(random, n) === 0 ? highWord(random) : score(random, index, n),
  /** Next to the masks on both sides. */
  beside_mask: among(4, (random) => [0xfeffffff, 0xff000000, 0xff800000][below(random, 3)]!),
  /** The lowest number that is not masked, and masks alone. */
  lowest: (random) => [0xfeffffff, ...MASKS][below(random, 4)]!,
  /** One NaN, and masks. */
  nan: (random, index) => index === 2 ? signedWord(random, 0x7f800001) : 0xff800000,
};
