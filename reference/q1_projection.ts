/**
 * A matrix of 1-bit weights times f32 activations, in f64, with a bound for each element of what an
 * f32 kernel may differ by.
 *
 * Source: y = Σ_blocks scale · Σ ±x, as a projection of a Bonsai model has it, with a scale for every
 * 32 weights. The bound is derived below.
 */

import { bitsOfF32 } from "./f32.ts";
import { type BoundedValues, roundings, SMALLEST_NORMAL } from "./roundings.ts";

/** Weights that share a scale. */
export const Q1_PROJECTION_BLOCK = 32;

/** A matrix and one column. */
export interface Q1ProjectionInput {
  /** Weights in a row: a multiple of 32. */
  readonly n: number;
  /** n/32 scales a row. */
  readonly scales: Float32Array;
  /** A word for each scale: bit j is the sign of weight j, 1 for +. */
  readonly signs: Uint32Array;
  /** n activations. */
  readonly x: Float32Array;
}

/** Sums of this size may overflow on the way. */
const LARGEST = 2 ** 127;

/** The longest row that {@linkcode q1ProjectionDepth} holds for. */
const LONGEST = 16_384;

/**
 * Roundings that a term passes through on its way into the sum. In a block: 3 of a sum of four, 7 of
 * eight such sums, added one by one, and 1 of the product with the scale. Of blocks: at most 64 partial
 * sums are joined in any order (WGSL does not say in which subgroupAdd does it), and each of these, or
 * the sum of them, takes up one block of every 64. Chains of every 8th block joined in pairs are no
 * deeper, nor is a sum of sums of 8, up to 512 blocks.
 *
 * @throws {RangeError} where n is no multiple of 32, or above 16,384
 */
export function q1ProjectionDepth(n: number): number {
  const blocks = n / Q1_PROJECTION_BLOCK;
  if (!Number.isInteger(blocks) || n < 1 || n > LONGEST) {
    throw new RangeError(
      `Cannot bound rows of ${n} weights: the order of summation is stated for multiples of ` +
        `${Q1_PROJECTION_BLOCK} up to ${LONGEST}. Use such a length, or derive a bound for longer rows.`,
    );
  }
  return 3 + 7 + 1 + (Math.min(blocks, 64) - 1) + (Math.ceil(blocks / 64) - 1);
}

/**
 * Order: none is prescribed; no term passes through more roundings than {@linkcode q1ProjectionDepth}.
 *
 * The bound of each row's element. WGSL rounds +, −, × once, whether or not they are contracted, and
 * `dot` is such a sum; a factor of ±1 rounds nothing, and adding 0 does not either.
 *
 * - Each term scale · x meets at most D factors 1 + δ, |δ| ≤ 2^-24: the error is at most γ_D · Σ|scale · x|.
 * - What is flushed is below 2^-126, once for each value: subnormal activations, times their scale;
 *   the 31 sums of a block, times the scale; the product of each block and each sum of such products:
 *   2. A subnormal scale may be 0, its whole block with it. All of these may pass D roundings.
 * - Where every term is a multiple of one power of two q, and Σ|scale · x| ≤ 2^24 q, with the same of
 *   the activations of each block, every partial sum of any order is an f32: nothing is rounded, and
 *   where q is no subnormal nothing flushed. The bound is 0.
 *
 * f64 adds n + n/32 roundings of 2^-53 of Σ|scale · x|: less than 10^-5 of the bound. A row with a NaN
 * is NaN, with the bound 0.
 *
 * @throws {RangeError} where a partial sum could overflow: only NaN is allowed of what is not finite
 */
export function q1Projection({ n, scales, signs, x }: Q1ProjectionInput): BoundedValues {
  const relative = roundings(q1ProjectionDepth(n)) + (n + n / Q1_PROJECTION_BLOCK) * 2 ** -53;
  const blocks = Array.from(
    { length: n / Q1_PROJECTION_BLOCK },
    (_, b) => factsOf(x.subarray(b * Q1_PROJECTION_BLOCK, (b + 1) * Q1_PROJECTION_BLOCK)),
  );
  const rows = scales.length / blocks.length;
  const values = new Float64Array(rows), bounds = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let value = 0, size = 0, flushed = 0, step = Infinity;
    for (let b = 0; b < blocks.length; b++) {
      const at = row * blocks.length + b, block = blocks[b], scale = Math.abs(scales[at]);
      const isFlushable = scale > 0 && scale < SMALLEST_NORMAL;
      value += scales[at] * signedSum(signs[at], x, b * Q1_PROJECTION_BLOCK);
      size += scale * block.size;
      flushed += scale * (block.subnormal + 31 * SMALLEST_NORMAL) + 2 * SMALLEST_NORMAL;
      if (isFlushable) flushed += scale * block.size;
      step = isFlushable ? 0 : Math.min(step, stepOf(scale) * block.step);
      if (scale === Infinity || block.size >= LARGEST || size >= LARGEST) throw tooLarge(row, b);
    }
    const isExact = step >= SMALLEST_NORMAL && size <= 2 ** 24 * step;
    values[row] = value;
    bounds[row] = isExact || value !== value ? 0 : size * relative + flushed * (1 + relative);
  }
  return { values, bounds };
}

/** What the 32 activations of a block are to every row. */
interface BlockFacts {
  /** Σ|x|. */
  readonly size: number;
  /** The same of the subnormal ones. */
  readonly subnormal: number;
  /**
   * The largest power of two that all are multiples of; 0 where a sum of them could be rounded, or
   * something be flushed.
   */
  readonly step: number;
}

function factsOf(x: Float32Array): BlockFacts {
  let size = 0, subnormal = 0, step = Infinity;
  for (const value of x) {
    const large = Math.abs(value);
    size += large;
    if (large < SMALLEST_NORMAL) subnormal += large;
    step = Math.min(step, stepOf(large));
  }
  return { size, subnormal, step: step >= SMALLEST_NORMAL && size <= 2 ** 24 * step ? step : 0 };
}

/** Σ ±x of the 32 activations from `first` on. */
function signedSum(signs: number, x: Float32Array, first: number): number {
  let sum = 0;
  for (let j = 0; j < Q1_PROJECTION_BLOCK; j++) {
    sum += (signs >>> j & 1) === 1 ? x[first + j] : -x[first + j];
  }
  return sum;
}

/** The largest power of two that an f32 of at least 0 is a multiple of; infinite for 0, NaN for NaN. */
function stepOf(large: number): number {
  if (large === 0) return Infinity;
  if (!Number.isFinite(large)) return NaN;
  const bits = bitsOfF32(large);
  const mantissa = bits & 0x7fffff | (bits < 0x800000 ? 0 : 0x800000);
  return (mantissa & -mantissa) * 2 ** (Math.max(bits >>> 23, 1) - 150);
}

function tooLarge(row: number, block: number): RangeError {
  return new RangeError(
    `Cannot bound row ${row}: its sums may overflow in block ${block}, or a scale or an activation ` +
      "is infinite. Keep Σ|scale · x| of a row, and Σ|x| of a block, below 2^127.",
  );
}
