/**
 * Named ways to fill logits, as f32 bits.
 *
 * @module
 */
import { below, type Random } from "../random.ts";

/** Draws the logit at `index` of `n`. */
export type LogitFill = (random: Random, index: number, n: number) => number;

const NEGATIVE = 0x80000000;
const INFINITY = 0x7f800000;

/** Any finite f32 of 2^-7 to 2^4 in size: what an LM head gives. */
const logit: LogitFill = (random) => {
  const sign = random() & NEGATIVE;
  const exponent = 120 + below(random, 12);
  return (sign | (exponent << 23) | (random() & 0x7fffff)) >>> 0;
};

// From the smallest payload, a signalling NaN, upwards; both signs.
const notANumber: LogitFill = (random) =>
  ((random() & NEGATIVE) | INFINITY | (1 + below(random, 0x7fffff))) >>> 0;

/** The bits of an integer of at most 24 bits. */
const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;

/** One in `every` is special. */
const sometimes = (special: LogitFill, every: number): LogitFill => (random, index, n) =>
  below(random, every) === 0 ? special(random, index, n) : logit(random, index, n);

export const LOGITS: Readonly<Record<string, LogitFill>> = {
  logit,
  /** Any finite value. */
  any: (random) => ((random() & NEGATIVE) | (below(random, 255) << 23) | (random() >>> 9)) >>> 0,
  /** Five values, so that the largest is there many times. */
  ties: (random) => bitsOf(below(random, 5) - 2),
  equal: () => bitsOf(3),
  zeros: (random) => (random() & NEGATIVE) >>> 0,
  subnormal: (random) => ((random() & NEGATIVE) | below(random, 0x800000)) >>> 0,
  /** All negative: the largest is the smallest in size. */
  negative: (random, index, n) => (logit(random, index, n) | NEGATIVE) >>> 0,
  ascending: (_random, index) => bitsOf(index),
  descending: (_random, index) => bitsOf(-index),
  /** The largest stands last, among neighbours one step below it. */
  last: (_random, index, n) => index === n - 1 ? 0x41000001 : 0x41000000,
  nan: sometimes(notANumber, 3),
  all_nan: notANumber,
  /** One number, the smallest there is, among NaN. */
  one_number: (random, index, n) =>
    index === Math.floor(n / 2) ? (NEGATIVE | INFINITY) >>> 0 : notANumber(random, index, n),
  infinite: sometimes((random) => ((random() & NEGATIVE) | INFINITY) >>> 0, 5),
  minus_infinite: () => (NEGATIVE | INFINITY) >>> 0,
  /** The NaN next to infinity. */
  smallest_nan: sometimes((random) => ((random() & NEGATIVE) | INFINITY | 1) >>> 0, 3),
};
