/**
 * IEEE-754 binary16 to and from binary32. Bits are u16; values are f32-valued numbers.
 *
 * Source: IEEE 754-2019; ggml's F16C build converts with VCVTPS2PH to nearest even, which this
 * equals except for NaN payloads.
 */

import { bitsOfF32, f32OfBits, mulF32 } from "./f32.ts";

const SMALLEST_SUBNORMAL = 2 ** -24;

/** The value of an f16, exact, subnormals included. A NaN's payload may be lost. */
export function f32OfF16(bits: number): number {
  const sign = bits & 0x8000;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) {
    return mulF32(mantissa, sign === 0 ? SMALLEST_SUBNORMAL : -SMALLEST_SUBNORMAL); // exact
  }
  if (exponent === 0x1f) {
    if (mantissa !== 0) return NaN;
    return sign === 0 ? Infinity : -Infinity;
  }
  return f32OfBits((sign << 16) | ((exponent + 112) << 23) | (mantissa << 13));
}

/**
 * An f32 value as f16 bits, rounded once to nearest, ties to even: 65,520 and above in size give
 * infinity, results below 2^-14 are subnormal, any NaN gives the quiet 0x7e00.
 */
export function f16OfF32(x: number): number {
  if (x !== x) return 0x7e00;
  const bits = bitsOfF32(x);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent >= 143) return sign | 0x7c00; // 2^16 and above, and infinity
  // A carry out of the mantissa runs into the exponent, up to infinity: the encodings are in order.
  if (exponent >= 113) return sign | shiftedToEven(((exponent - 112) << 23) | mantissa, 13);
  // Below 2^-14 the last place stays at 2^-24. Under 2^-25, shift 26 and more give 0.
  if (exponent < 102) return sign;
  return sign | shiftedToEven(mantissa | 0x800000, 126 - exponent);
}

/** value / 2^shift, rounded to the nearest integer, ties to even; 1 ≤ shift ≤ 24. */
function shiftedToEven(value: number, shift: number): number {
  const kept = value >>> shift;
  const rest = value - (kept << shift);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}
