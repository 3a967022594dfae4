/**
 * The exponential in f64 from its own operators alone: engines' `Math.exp` may differ in the last
 * place, and a golden holds every bit of an f64.
 *
 * Source: e^x = 2^k · e^r with r = x − k · ln 2 and |r| ≤ ln 2 / 2; e^r by its Taylor series, whose
 * terms from the 15th on are below 2^-60 there.
 */

/** ln 2 in two parts: k · LN2_HIGH is exact for |k| < 2^20, and both together are ln 2 to 2^-105. */
const LN2_HIGH = Math.round(Math.LN2 * 2 ** 32) / 2 ** 32;
// The last number is what the f64 nearest to ln 2 lacks.
const LN2_LOW = (Math.LN2 - LN2_HIGH) + 2.3190468138462996e-17;
const TERMS = 14;
/** Below it the result, less than 2^-1009, is 0 here; no bound is as small as that. */
const LOWEST = -700;

const wide = new Float64Array(1);
// [1] is the high half: WebGPU and every machine that has it are little-endian.
const wideBits = new Uint32Array(wide.buffer);

/** What {@linkcode expF64} may be off by, relative to its size. */
export const EXP_F64_ERROR = 2 ** -50;

/** e^x for x ≤ 0, to {@linkcode EXP_F64_ERROR}; 0 below −700. Order: Horner's, from the last term. */
export function expF64(x: number): number {
  if (x < LOWEST) return 0;
  const k = Math.round(x / Math.LN2);
  const rest = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let i = TERMS; i > 0; i--) sum = 1 + rest / i * sum;
  wideBits[1] = (k + 1023) << 20; // 2^k
  return sum * wide[0];
}
