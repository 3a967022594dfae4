/**
 * IEEE-754 binary32 arithmetic on JavaScript numbers, each operation rounded once, to nearest, ties
 * to even. Every argument must already be a binary32 value (as read from a `Float32Array` or from
 * one of these functions); every result is one. This is the only file of `reference/` that may
 * name `Math.fround`.
 *
 * Source: IEEE 754-2019; the fused operation after Boldo and Melquiond, "Emulation of a FMA and
 * correctly rounded sums: proved algorithms using rounding to odd" (2008).
 */

/** The one NaN this room writes: a JavaScript engine does not promise to keep NaN payloads. */
export const CANONICAL_NAN_BITS = 0x7fc00000;

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);
const wide = new Float64Array(1);
// [0] is the low half: WebGPU and every machine that has it are little-endian.
const wideBits = new Uint32Array(wide.buffer);

/** The bits of an f32 value, as u32. Every NaN gives {@linkcode CANONICAL_NAN_BITS}. */
export function bitsOfF32(x: number): number {
  if (x !== x) return CANONICAL_NAN_BITS;
  word[0] = x;
  return wordBits[0];
}

/** The f32 value that a u32 encodes. Exact; the payload of a NaN may be lost. */
export function f32OfBits(bits: number): number {
  wordBits[0] = bits;
  return word[0];
}

/**
 * a + b, rounded once. The f64 sum is rounded too, which is harmless: 53 bits are at least
 * 2 · 24 + 2, and a sum in f32's subnormal range is exact.
 */
export function addF32(a: number, b: number): number {
  return Math.fround(a + b);
}

/** a · b, rounded once: the product of two 24-bit significands is exact in f64. */
export function mulF32(a: number, b: number): number {
  return Math.fround(a * b);
}

/**
 * a / b, rounded once. The f64 quotient is rounded too, which is harmless even where the result is
 * subnormal: a quotient of 24-bit significands that is not itself a point halfway between two f32
 * values is at least 2^-49 of its size away from one, and f64 rounds by at most 2^-53.
 */
export function divF32(a: number, b: number): number {
  return Math.fround(a / b);
}

/**
 * a · b + c, rounded once, on every input (subnormals, signed zeros, infinities, NaN, overflow).
 *
 * The product is exact in f64. Knuth's TwoSum gives the sum and exactly what the sum lost. Where
 * something was lost the sum is rounded to odd, so that it cannot lie on a point halfway between
 * two f32 values unless the exact result does; the last rounding then sees the truth.
 */
export function fmaF32(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const partOfC = sum - product;
  const partOfProduct = sum - partOfC;
  const lostOfProduct = product - partOfProduct;
  const lostOfC = c - partOfC;
  const lost = lostOfProduct + lostOfC;
  // `lost` is NaN where the sum is infinite or NaN: nothing is left to correct there either.
  if (lost > 0 || lost < 0) return Math.fround(roundedToOdd(sum, lost));
  return Math.fround(sum);
}

/** `sum`, or its neighbour towards `lost` if `sum` is even; `sum` and `lost` are not zero. */
function roundedToOdd(sum: number, lost: number): number {
  wide[0] = sum;
  const low = wideBits[0];
  if ((low & 1) !== 0) return sum;
  if ((lost > 0) === (sum > 0)) {
    wideBits[0] = low + 1; // even, so no carry
  } else {
    if (low === 0) wideBits[1] -= 1;
    wideBits[0] = low - 1; // 0 wraps to 0xffffffff, borrowed above
  }
  return wide[0];
}

/** √a, rounded once: the f64 root is rounded too, which is harmless, as 53 bits are 2 · 24 + 2. */
export function sqrtF32(a: number): number {
  return Math.fround(Math.sqrt(a));
}
