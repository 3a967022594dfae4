/** Unpacking a column of q8_0 activations, once for all rows that meet it. */

import { blocksInRow, Q8_0_BLOCK, u16At } from "./blocks.ts";
import { f32OfF16 } from "./f16.ts";

/** A column's numbers: n / 32 scales as f32, and n quants. */
export interface Q8_0Column {
  /** One f32 scale a block, exact from its f16. */
  readonly scales: Float32Array;
  /** One signed byte an element. */
  readonly quants: Int8Array;
}

/**
 * Unpacks n elements of q8_0 from byte `at` on; exact. The caller has checked the lengths.
 *
 * @throws {RangeError} if n is not a positive multiple of 32
 */
export function unpackQ8_0(n: number, bytes: Uint8Array, at: number): Q8_0Column {
  const blocks = blocksInRow(Q8_0_BLOCK, n);
  const scales = new Float32Array(blocks);
  const quants = new Int8Array(n);
  for (let block = 0; block < blocks; block++) {
    const start = at + block * Q8_0_BLOCK.bytes;
    scales[block] = f32OfF16(u16At(bytes, start));
    for (let j = 0; j < 32; j++) quants[block * 32 + j] = bytes[start + 2 + j]; // wraps to signed
  }
  return { scales, quants };
}
