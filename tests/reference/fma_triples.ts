/**
 * Triples (a, b, c) as f32 bits on which a fused multiply-add is hard: the exact a · b + c lies on
 * a point halfway between two f32 values, or so close to one that f64 cannot tell.
 */

import { bitsOfF32 } from "../../reference/mod.ts";

/** Three f32 as bits. */
export type Triple = readonly [number, number, number];

type Random = () => number;

/**
 * The product is halfway exactly, from two odd factors; c is a residue far below it, or 0 for a
 * tie. Result exponents are normal.
 */
export function productHalfway(random: Random, residue: -1 | 0 | 1): Triple {
  for (;;) {
    const a = odd(random, 13), b = odd(random, 13);
    const product = a * b;
    if (product < 2 ** 24 || product >= 2 ** 25) continue; // 25 bits and odd: halfway
    const shift = (random() % 160) - 60;
    const sign = (random() & 1) === 0 ? 1 : -1;
    const half = shift >> 1;
    // 2^-36 to 2^-59 of the product's last place, and so beyond f64's 53 bits
    const c = residue * 2 ** (shift - 36 - (random() % 24));
    return words(sign * a * 2 ** half, b * 2 ** (shift - half), c);
  }
}

/**
 * c ends in the last place of the result, the product is half of that place with a residue of
 * 2^-46 of itself: 2^46 + 1 = (2^23 − 2^12 + 1)(2^23 + 2^12 + 1), 2^46 − 1 = (2^23 − 1)(2^23 + 1).
 * `lastPlace` is log2 of the result's last place, −149 for subnormal results.
 */
export function productBesideHalf(
  random: Random,
  residue: -1 | 0 | 1,
  lastPlace: number,
): Triple {
  const [a, b] = residue > 0
    ? [2 ** 23 - 2 ** 12 + 1, 2 ** 23 + 2 ** 12 + 1]
    : residue < 0
    ? [2 ** 23 - 1, 2 ** 23 + 1]
    : [2 ** 23, 2 ** 23];
  // Subnormal results have at most 23 bits; 12 bits leave the residue beyond f64's 53 in any case.
  const bits = lastPlace === -149 ? 12 + random() % 12 : 24;
  const c = 2 ** (bits - 1) + random() % 2 ** (bits - 1);
  const signC = (random() & 1) === 0 ? 1 : -1, signProduct = (random() & 1) === 0 ? 1 : -1;
  const scale = lastPlace - 1 - 46; // of a · b, to be split in two that f32 can hold
  const half = scale >> 1;
  return words(
    signProduct * a * 2 ** half,
    b * 2 ** (scale - half),
    signC * c * 2 ** lastPlace,
  );
}

/** Significands at random; c is a zero or within 2^±30 of the product, which may be anything. */
export function relatedExponents(random: Random): Triple {
  const a = random(), b = random();
  if (random() % 16 === 0) return [a, b, (random() & 0x80000000) >>> 0];
  const product = ((a >>> 23) & 255) + ((b >>> 23) & 255) - 127;
  const exponent = Math.max(0, Math.min(255, product + (random() % 61) - 30));
  return [a, b, ((random() & 0x807fffff) | (exponent << 23)) >>> 0];
}

/** Every value of a special kind, and what is next to it. */
export const specialWords: readonly number[] = [
  0x00000000, // 0
  0x00000001, // smallest subnormal
  0x00000002,
  0x00400000, // a subnormal of one bit
  0x007fffff, // largest subnormal
  0x00800000, // smallest normal
  0x00800001,
  0x00ffffff, // 2^24 − 1 smallest subnormals
  0x1a000000, // 2^-75: its square is half the smallest subnormal
  0x33800000, // 2^-24
  0x3f000000, // 0.5
  0x3f7fffff, // just below 1
  0x3f800000, // 1
  0x3f800001, // just above 1
  0x40000000, // 2
  0x4b800001, // 2^24 + 2
  0x5f7fffff,
  0x7f000000, // 2^127
  0x7f7fffff, // largest finite
  0x7f800000, // infinity
  0x7fc00000, // NaN
  0x7f800001, // signalling NaN
].flatMap((word) => [word, (word | 0x80000000) >>> 0]);

function odd(random: Random, bits: number): number {
  return (random() >>> (32 - bits)) | 1;
}

function words(a: number, b: number, c: number): Triple {
  for (const x of [a, b, c]) {
    if (Math.fround(x) !== x) throw new Error(`${x} is not an f32: the construction is wrong`);
  }
  return [bitsOfF32(a), bitsOfF32(b), bitsOfF32(c)];
}
