/**
 * Exact numbers, to judge what the references compute in f64.
 *
 * @module
 */

/** |x| · 2^1074, exactly: doubles are multiples of 2^-1074. */
export function integerOf(x: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(Math.abs(x)).buffer)[0]!;
  const field = Number(bits >> 52n);
  const mantissa = (bits & (2n ** 52n - 1n)) + (field > 0 ? 2n ** 52n : 0n);
  return mantissa << BigInt(Math.max(field, 1) - 1);
}

/** Binary digits behind the point of {@linkcode fixed} numbers. */
export const FIXED_BITS = 600n;
const ONE = 1n << FIXED_BITS;

/** x · 2^600, cut off. */
export function fixed(x: number): bigint {
  const size = (integerOf(x) << FIXED_BITS) >> 1074n;
  return x < 0 ? -size : size;
}

/**
 * e^x for fixed x ≤ 0, to some 2^-560 of 1: Taylor's series at x / 2^20, squared twenty times. Below
 * e^-400, which is 2^-577, it is 0.
 */
export function fixedExp(x: bigint): bigint {
  if (x < -400n * ONE) return 0n;
  const small = x >> 20n;
  let term = ONE, sum = ONE;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    term = (term * small >> FIXED_BITS) / i;
    sum += term;
  }
  for (let i = 0; i < 20; i++) sum = sum * sum >> FIXED_BITS;
  return sum;
}

/** |a − b| / |b|, for fixed numbers. */
export function relativeError(a: bigint, b: bigint): number {
  const off = a > b ? a - b : b - a;
  const size = b < 0n ? -b : b;
  return off === 0n ? 0 : Number((off << 80n) / size) / 2 ** 80;
}

/** √x for a fixed number of at least 0, cut off: Newton's iteration from above. */
export function fixedRoot(x: bigint): bigint {
  const square = x << FIXED_BITS;
  let root = 1n << BigInt(square.toString(2).length / 2 + 1 | 0);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** A product of fixed numbers, cut off. */
export const times = (a: bigint, b: bigint): bigint => a * b >> FIXED_BITS;
