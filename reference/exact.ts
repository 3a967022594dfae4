/**
 * The slow judge: correctly rounded results from exact integers, on bit patterns alone. It shares
 * no code and no method with `f32.ts` and `f16.ts`, so that the two can hold each other.
 *
 * A finite operand is ± magnitude · 2^exponent with a BigInt magnitude; every result is computed
 * without error and rounded once, to nearest, ties to even.
 */

interface Format {
  /** Significand bits that are stored. */
  readonly stored: number;
  readonly exponentMask: number;
  /** log2 of the smallest subnormal. */
  readonly smallest: number;
}

interface Finite {
  readonly negative: boolean;
  readonly magnitude: bigint;
  readonly exponent: number;
}

const F32: Format = { stored: 23, exponentMask: 0xff, smallest: -149 };
const F16: Format = { stored: 10, exponentMask: 0x1f, smallest: -24 };
const QUIET_NAN_F32 = 0x7fc00000;

/** a · b + c of three f32, rounded once. u32 bits in and out; any NaN result is 0x7fc00000. */
export function exactFmaF32(aBits: number, bBits: number, cBits: number): number {
  if (isNaNBits(aBits, F32) || isNaNBits(bBits, F32) || isNaNBits(cBits, F32)) return QUIET_NAN_F32;
  const negative = isNegative(aBits ^ bBits, F32);
  if (isInfinite(aBits, F32) || isInfinite(bBits, F32)) {
    if (isZero(aBits, F32) || isZero(bBits, F32)) return QUIET_NAN_F32;
    const cancels = isInfinite(cBits, F32) && isNegative(cBits, F32) !== negative;
    return cancels ? QUIET_NAN_F32 : infinity(negative, F32);
  }
  if (isInfinite(cBits, F32)) return cBits;

  const a = decode(aBits, F32), b = decode(bBits, F32), c = decode(cBits, F32);
  const productExponent = a.exponent + b.exponent;
  const exponent = Math.min(productExponent, c.exponent);
  const product = (a.magnitude * b.magnitude) << BigInt(productExponent - exponent);
  const addend = c.magnitude << BigInt(c.exponent - exponent);
  const sum = (negative ? -product : product) + (c.negative ? -addend : addend);
  // An exact zero is −0 only if both terms are negative (zeros): terms that cancel give +0.
  if (sum === 0n) return signed(negative && c.negative, 0, F32);
  return encode(sum < 0n, sum < 0n ? -sum : sum, exponent, false, F32);
}

/** a / b of two f32, rounded once. u32 bits in and out; any NaN result is 0x7fc00000. */
export function exactDivF32(aBits: number, bBits: number): number {
  if (isNaNBits(aBits, F32) || isNaNBits(bBits, F32)) return QUIET_NAN_F32;
  const negative = isNegative(aBits ^ bBits, F32);
  if (isInfinite(aBits, F32)) {
    return isInfinite(bBits, F32) ? QUIET_NAN_F32 : infinity(negative, F32);
  }
  if (isZero(bBits, F32)) return isZero(aBits, F32) ? QUIET_NAN_F32 : infinity(negative, F32);
  if (isInfinite(bBits, F32)) return signed(negative, 0, F32);
  const a = decode(aBits, F32), b = decode(bBits, F32);
  // 64 more bits leave at least 40 in the quotient: the remainder is below every rounding point.
  const numerator = a.magnitude << 64n;
  const quotient = numerator / b.magnitude;
  const remains = quotient * b.magnitude !== numerator;
  return encode(negative, quotient, a.exponent - b.exponent - 64, remains, F32);
}

/** An f32 as f16, rounded once. u32 bits in, u16 bits out; any NaN gives 0x7e00. */
export function exactF16OfF32(bits: number): number {
  if (isNaNBits(bits, F32)) return 0x7e00;
  if (isInfinite(bits, F32)) return infinity(isNegative(bits, F32), F16);
  const x = decode(bits, F32);
  return encode(x.negative, x.magnitude, x.exponent, false, F16);
}

/** An f16 as f32, exact. u16 bits in, u32 bits out; any NaN gives 0x7fc00000. */
export function exactF32OfF16(bits: number): number {
  if (isNaNBits(bits, F16)) return QUIET_NAN_F32;
  if (isInfinite(bits, F16)) return infinity(isNegative(bits, F16), F32);
  const x = decode(bits, F16);
  return encode(x.negative, x.magnitude, x.exponent, false, F32);
}

/**
 * A finite f32 to the nearest integer, ties to even.
 *
 * @throws {RangeError} if the bits are an infinity or a NaN, which have no nearest integer
 */
export function exactIntegerOfF32(bits: number): bigint {
  if (isNaNBits(bits, F32) || isInfinite(bits, F32)) {
    throw new RangeError(
      `Cannot round 0x${bits.toString(16)} to an integer: it is not finite. Test for that first.`,
    );
  }
  const x = decode(bits, F32);
  const magnitude = x.exponent >= 0
    ? x.magnitude << BigInt(x.exponent)
    : shiftedToEven(x.magnitude, -x.exponent, false);
  return x.negative ? -magnitude : magnitude;
}

function exponentField(bits: number, format: Format): number {
  return (bits >>> format.stored) & format.exponentMask;
}

function mantissaField(bits: number, format: Format): number {
  return bits & (2 ** format.stored - 1);
}

function isNegative(bits: number, format: Format): boolean {
  return (bits >>> format.stored) > format.exponentMask;
}

function isNaNBits(bits: number, format: Format): boolean {
  return exponentField(bits, format) === format.exponentMask && mantissaField(bits, format) !== 0;
}

function isInfinite(bits: number, format: Format): boolean {
  return exponentField(bits, format) === format.exponentMask && mantissaField(bits, format) === 0;
}

function isZero(bits: number, format: Format): boolean {
  return exponentField(bits, format) === 0 && mantissaField(bits, format) === 0;
}

function signed(negative: boolean, rest: number, format: Format): number {
  return negative ? (format.exponentMask + 1) * 2 ** format.stored + rest : rest;
}

function infinity(negative: boolean, format: Format): number {
  return signed(negative, format.exponentMask * 2 ** format.stored, format);
}

function decode(bits: number, format: Format): Finite {
  const field = exponentField(bits, format);
  const mantissa = mantissaField(bits, format);
  return {
    negative: isNegative(bits, format),
    magnitude: BigInt(field === 0 ? mantissa : mantissa + 2 ** format.stored),
    exponent: format.smallest + Math.max(field - 1, 0),
  };
}

/**
 * (magnitude + t) · 2^exponent in a format, rounded once; t is 0, or, if `more` is set, unknown
 * between 0 and 1 (then the magnitude must be longer than the format's significand).
 */
function encode(
  negative: boolean,
  magnitude: bigint,
  exponent: number,
  more: boolean,
  format: Format,
): number {
  if (magnitude === 0n) return signed(negative, 0, format);
  const lastPlace = Math.max(exponent + bitLength(magnitude) - 1 - format.stored, format.smallest);
  const shift = lastPlace - exponent;
  const kept = shift > 0 ? shiftedToEven(magnitude, shift, more) : magnitude << BigInt(-shift);
  // Encodings are in the order of their values, so a carry out of the significand, a subnormal that
  // becomes normal and an overflow to infinity need no case of their own.
  const rest = (lastPlace - format.smallest) * 2 ** format.stored + Number(kept);
  return signed(negative, Math.min(rest, format.exponentMask * 2 ** format.stored), format);
}

function shiftedToEven(magnitude: bigint, shift: number, more: boolean): bigint {
  const kept = magnitude >> BigInt(shift);
  const twiceRest = (magnitude - (kept << BigInt(shift))) << 1n;
  const whole = 1n << BigInt(shift);
  const up = twiceRest > whole || (twiceRest === whole && (more || (kept & 1n) === 1n));
  return up ? kept + 1n : kept;
}

function bitLength(magnitude: bigint): number {
  const digits = magnitude.toString(16);
  return digits.length * 4 - (Math.clz32(parseInt(digits[0], 16)) - 28);
}
