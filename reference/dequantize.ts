/**
 * Packed blocks back to the f32 values they stand for, as u32 bits. Every product here is exact
 * (11 significant bits of scale, at most 8 of quant); a NaN is 0x7fc00000.
 *
 * Source: ggml, dequantize_row_q1_0, dequantize_row_q2_0 and dequantize_row_q8_0.
 */

import {
  type BlockLayout,
  elementsInBytes,
  Q1_0_BLOCK,
  Q2_0_BLOCK,
  Q8_0_BLOCK,
  u16At,
} from "./blocks.ts";
import { f32OfF16 } from "./f16.ts";
import { bitsOfF32, mulF32 } from "./f32.ts";

/**
 * Whole Q1_0 blocks (any number of rows) to 128 f32 bit patterns each.
 *
 * @throws {RangeError} if the bytes end inside a block
 */
export function dequantizeQ1_0(packed: Uint8Array): Uint32Array {
  return dequantized(Q1_0_BLOCK, packed, (scale, at, j) => {
    const bit = (packed[at + 2 + (j >> 3)] >> (j & 7)) & 1;
    return bit === 1 ? scale : -scale;
  });
}

/**
 * Whole Q2_0 blocks (any number of rows) to 64 f32 bit patterns each. Code 1 under a negative scale
 * is −0.
 *
 * @throws {RangeError} if the bytes end inside a block
 */
export function dequantizeQ2_0(packed: Uint8Array): Uint32Array {
  return dequantized(Q2_0_BLOCK, packed, (scale, at, j) => {
    const code = (packed[at + 2 + (j >> 2)] >> (2 * (j & 3))) & 3;
    return mulF32(code - 1, scale);
  });
}

/**
 * Whole q8_0 blocks (any number of rows) to 32 f32 bit patterns each.
 *
 * @throws {RangeError} if the bytes end inside a block
 */
export function dequantizeQ8_0(packed: Uint8Array): Uint32Array {
  return dequantized(Q8_0_BLOCK, packed, (scale, at, j) => {
    const quant = (packed[at + 2 + j] << 24) >> 24;
    return mulF32(quant, scale);
  });
}

/** Runs `valueOf(scale, byte offset of the block, index in the block)` over all elements. */
function dequantized(
  layout: BlockLayout,
  packed: Uint8Array,
  valueOf: (scale: number, at: number, j: number) => number,
): Uint32Array {
  const { bytes, elements } = layout;
  const bits = new Uint32Array(elementsInBytes(layout, packed.length));
  for (let at = 0, out = 0; at < packed.length; at += bytes) {
    const scale = f32OfF16(u16At(packed, at));
    for (let j = 0; j < elements; j++) bits[out++] = bitsOfF32(valueOf(scale, at, j));
  }
  return bits;
}
