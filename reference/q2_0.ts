/**
 * Rows of Q2_0 weights times columns of q8_0 activations, in the order of ggml's generic code,
 * contracted to fused operations.
 *
 * Two ways to the same bits: `dotQ2_0` is the definition, step by step; `matmulQ2_0` unpacks per
 * column and per matrix what is shared. The vectors hold both.
 *
 * Source: ggml, ggml_vec_dot_q2_0_q8_0 generic, -O3 -mfma.
 */

import {
  blocksInRow,
  checkMatmul,
  checkRowAt,
  type MatmulInput,
  Q2_0_BLOCK,
  Q8_0_BLOCK,
  rowBytes,
  u16At,
} from "./blocks.ts";
import { f32OfF16 } from "./f16.ts";
import { bitsOfF32, fmaF32 } from "./f32.ts";
import { unpackQ8_0 } from "./q8_0.ts";

/**
 * Order: blocks ascending into one sum, inside a block its two q8_0 blocks ascending.
 *
 * One row of n weights at byte `weightsAt` times one column of n activations at byte
 * `activationsAt`. The result is f32 bits.
 *
 * @throws {RangeError} if n is not a positive multiple of 64 or a row does not fit its bytes
 */
export function dotQ2_0(
  n: number,
  weights: Uint8Array,
  weightsAt: number,
  activations: Uint8Array,
  activationsAt: number,
): number {
  checkRowAt(Q2_0_BLOCK, n, weights, weightsAt);
  checkRowAt(Q8_0_BLOCK, n, activations, activationsAt);
  let sum = 0;
  for (let block = 0; block < blocksInRow(Q2_0_BLOCK, n); block++) {
    const at = weightsAt + block * Q2_0_BLOCK.bytes;
    let sumi = 0;
    for (let k = 0; k < 2; k++) {
      const from = activationsAt + (2 * block + k) * Q8_0_BLOCK.bytes;
      let s = 0;
      for (let j = 0; j < 32; j++) {
        const code = (weights[at + 2 + 8 * k + (j >> 2)] >> (2 * (j & 3))) & 3;
        const quant = (activations[from + 2 + j] << 24) >> 24;
        s += Math.imul(code - 1, quant);
      }
      sumi = fmaF32(f32OfF16(u16At(activations, from)), s, sumi);
    }
    sum = fmaF32(f32OfF16(u16At(weights, at)), sumi, sum);
  }
  return bitsOfF32(sum);
}

/**
 * Order: as {@linkcode dotQ2_0}, for every row and column.
 *
 * rows × cols dot products of n elements. The result is f32 bits, output (row, col) at
 * col · rows + row.
 *
 * @throws {RangeError} if n is not a positive multiple of 64, rows or cols is not a positive
 * integer, or a byte length is not exactly what the shape needs
 */
export function matmulQ2_0(input: MatmulInput): Uint32Array {
  checkMatmul(Q2_0_BLOCK, input);
  const { rows, cols, n, weights, activations } = input;
  const blocks = blocksInRow(Q2_0_BLOCK, n);
  const weightScales = new Float32Array(rows * blocks);
  for (let block = 0; block < weightScales.length; block++) {
    weightScales[block] = f32OfF16(u16At(weights, block * Q2_0_BLOCK.bytes));
  }
  const bits = new Uint32Array(rows * cols);
  for (let col = 0; col < cols; col++) {
    const { scales, quants } = unpackQ8_0(n, activations, col * rowBytes(Q8_0_BLOCK, n));
    const quantSums = sumsOf32(quants);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let block = 0; block < blocks; block++) {
        const weightBlock = row * blocks + block;
        const first = 2 * block, second = first + 1;
        const at = weightBlock * Q2_0_BLOCK.bytes + 2;
        const s0 = codeSum(weights, at, quants, first * 32) - quantSums[first];
        const s1 = codeSum(weights, at + 8, quants, second * 32) - quantSums[second];
        const sumi = fmaF32(scales[second], s1, fmaF32(scales[first], s0, 0));
        sum = fmaF32(weightScales[weightBlock], sumi, sum);
      }
      bits[col * rows + row] = bitsOfF32(sum);
    }
  }
  return bits;
}

/** Σ code · quant over 32 elements; without Σ quant, which all rows share. Exact integers. */
function codeSum(codes: Uint8Array, at: number, quants: Int8Array, from: number): number {
  let s = 0;
  for (let byte = 0; byte < 8; byte++) {
    const four = codes[at + byte];
    const q = from + 4 * byte;
    s += Math.imul(four & 3, quants[q]);
    s += Math.imul((four >> 2) & 3, quants[q + 1]);
    s += Math.imul((four >> 4) & 3, quants[q + 2]);
    s += Math.imul(four >> 6, quants[q + 3]);
  }
  return s;
}

function sumsOf32(quants: Int8Array): Int32Array {
  const sums = new Int32Array(quants.length / 32);
  for (let j = 0; j < quants.length; j++) sums[j >> 5] += quants[j];
  return sums;
}
