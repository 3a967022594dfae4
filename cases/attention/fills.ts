/**
 * Named ways to fill queries, keys and values, and to mask keys.
 *
 * @module
 */
import type { Random } from "../random.ts";

/** Draws one element of each: of query head `head`, of key `key` of `len`, and of its value. */
export interface HeadFill {
  readonly query: (random: Random, head: number) => number;
  readonly key: (random: Random, key: number, len: number) => number;
  readonly value: (random: Random, key: number) => number;
}

/** 24 random bits with a sign, in [−1, 1), and never below 2^-23 but 0. */
const uniform = (random: Random) => ((random() >>> 8) - 2 ** 23) * 2 ** -23;
const twice = (random: Random) => 2 * uniform(random);
/** Nearly 1: such queries make of a key of 128 times x a score of about 11 x. */
const one = (random: Random) => 1 + uniform(random) / 16;
const about = (x: number, random: Random) => x + uniform(random) / 8;

/** The ends of what a maximum over 64 is joined from, by halves. */
const PEAKS = [0, 1, 2, 4, 8, 16, 32, 63];

const layer: HeadFill = { query: twice, key: twice, value: twice };

export const FILLS: Readonly<Record<string, HeadFill>> = {
  /** What a layer has: scores of some −4 to 4. */
  layer,
  /** All scores are equal, so each key weighs as much as any other. */
  equal: { ...layer, key: () => 0.75 },
  /** Scores of 0. */
  zero_query: { ...layer, query: () => 0 },
  /** From −40 to 40: the maximum moves in every tile and from split to split. */
  rising: { ...layer, query: one, key: (random, key, len) => about(7 * key / len - 3.5, random) },
  /** The maximum is that of the first tile. */
  falling: { ...layer, query: one, key: (random, key, len) => about(3.5 - 7 * key / len, random) },
  /**
   * One key of each 64 has a score of 66, at another place each time, and all others have −66: where a
   * maximum misses it, its exponential overflows.
   */
  peaks: {
    ...layer,
    query: one,
    key: (random, key) => about(key % 64 === PEAKS[(key >> 6) % PEAKS.length] ? 6 : -6, random),
  },
  /** Scores of some −200 to 200, whose exponentials f32 cannot hold. */
  huge: {
    ...layer,
    query: (random) => 14 * uniform(random),
    key: (random) => 14 * uniform(random),
  },
  /**
   * Scores near −300 in even heads and near 300 in odd ones, which differ by some units: exponentials
   * vanish or overflow, the maximum of another head is none, and all keys matter.
   */
  opposite: {
    ...layer,
    query: (random, head) => (head & 1 ? 1 : -1) * one(random),
    key: (random) => about(26, random),
  },
  /** Sums of which little remains. */
  cancel: { ...layer, value: (random, key) => (key & 1 ? 1 : -1) + uniform(random) * 2 ** -10 },
  large_values: { ...layer, value: (random) => uniform(random) * 2 ** 60 },
  small_values: { ...layer, value: (random) => uniform(random) * 2 ** -90 },
};

/** Is this key of `len` live? */
export type Mask = (random: Random, key: number, len: number) => boolean;

export const MASKS: Readonly<Record<string, Mask>> = {
  all: () => true,
  none: () => false,
  one: (_random, key, len) => key === (5 * len >> 3),
  half: (random) => (random() & 1) === 1,
  /** The first splits have no live key, although they have keys. */
  last_fifth: (_random, key, len) => key >= 4 * len / 5,
  first_quarter: (_random, key, len) => key < len / 4,
};
