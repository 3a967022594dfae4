/**
 * Named ways to fill the columns that RMSNorm is given. All squares are finite in f32.
 *
 * @module
 */
import { below, type Random } from "../random.ts";

/** Draws the value at `index` of n. */
export type ValueFill = (random: Random, index: number, n: number) => number;

/** 24 random bits with a sign, in [−1, 1). */
const uniform = (random: Random) => ((random() >>> 8) - 2 ** 23) * 2 ** -23;

/** What a layer's hidden state looks like: mostly small, a few channels far larger. */
const hidden: ValueFill = (random) => uniform(random) * (below(random, 200) === 0 ? 64 : 1);

export const VALUES: Readonly<Record<string, ValueFill>> = {
  hidden,
  /** What a token's embedding looks like: a root mean square of about 2^-6. */
  embedding: (random) => uniform(random) * 2 ** -5,
  /** So small that ε is as large as the mean of the squares. */
  small: (random) => uniform(random) * 2 ** -10,
  /** ε alone. */
  zeros: (random) => random() & 1 ? 0 : -0,
  /** Squares that are subnormal, or 0. */
  tiny: (random) => uniform(random) * 2 ** -66,
  /** Values that are subnormal themselves. */
  subnormal: (random) => uniform(random) * 2 ** -127,
  large: (random) => uniform(random) * 2 ** 50,
  equal: () => 1.25,
  /** One value decides. */
  one_hot: (_random, index, n) => index === (3 * n >> 2) ? 5.5 : 0,
  /** From 2^-20 to 2^20. */
  spread: (random) => uniform(random) * 2 ** (below(random, 41) - 20),
};

/** A norm's weights: around 1, some of them negative or nearly 0. */
export const weightFill = (random: Random): number =>
  uniform(random) * (below(random, 16) === 0 ? 2 ** -12 : 2);
