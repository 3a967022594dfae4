/**
 * Rows of Q1_0 weights times columns of q8_0 activations, in the order of ggml's AVX2 build.
 *
 * Two ways to the same bits: `dotQ1_0` is the definition, step by step; `matmulQ1_0` tabulates per
 * column what all rows share. The vectors hold both.
 *
 * Source: ggml, ggml_vec_dot_q1_0_q8_0 for AVX2 with FMA.
 */

import {
  blocksInRow,
  checkMatmul,
  checkRowAt,
  type MatmulInput,
  Q1_0_BLOCK,
  Q8_0_BLOCK,
  rowBytes,
  u16At,
} from "./blocks.ts";
import { f32OfF16 } from "./f16.ts";
import { addF32, bitsOfF32, fmaF32, mulF32 } from "./f32.ts";
import { unpackQ8_0 } from "./q8_0.ts";

/**
 * Sees every step of a lane, in order: for each block the sum over the first one, two, three and
 * four of its q8_0 blocks, then the lane's sum over all blocks so far. So step 5 · block + 4 is a
 * block's last.
 */
export type LaneWatch = (lane: number, value: number) => void;

/**
 * Order: blocks ascending into eight lanes, inside a block its four q8_0 blocks ascending, at the
 * end ((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7)).
 *
 * One row of n weights at byte `weightsAt` times one column of n activations at byte
 * `activationsAt`; lane l takes the elements 4l..4l+3 of each 32. The result is f32 bits.
 *
 * @throws {RangeError} if n is not a positive multiple of 128 or a row does not fit its bytes
 */
export function dotQ1_0(
  n: number,
  weights: Uint8Array,
  weightsAt: number,
  activations: Uint8Array,
  activationsAt: number,
  watch?: LaneWatch,
): number {
  checkRowAt(Q1_0_BLOCK, n, weights, weightsAt);
  checkRowAt(Q8_0_BLOCK, n, activations, activationsAt);
  const lanes = new Float32Array(8);
  const ab = new Float32Array(8);
  for (let block = 0; block < blocksInRow(Q1_0_BLOCK, n); block++) {
    const at = weightsAt + block * Q1_0_BLOCK.bytes;
    for (let k = 0; k < 4; k++) {
      const from = activationsAt + (4 * block + k) * Q8_0_BLOCK.bytes;
      const d1 = f32OfF16(u16At(activations, from));
      for (let lane = 0; lane < 8; lane++) {
        const signByte = weights[at + 2 + 4 * k + (lane >> 1)];
        const signs = (lane & 1) === 0 ? signByte & 15 : signByte >> 4;
        const s = signedSum(signs, activations, from + 2 + 4 * lane);
        ab[lane] = k === 0 ? mulF32(d1, s) : fmaF32(d1, s, ab[lane]);
        watch?.(lane, ab[lane]);
      }
    }
    const d0 = f32OfF16(u16At(weights, at));
    for (let lane = 0; lane < 8; lane++) {
      lanes[lane] = fmaF32(d0, ab[lane], lanes[lane]);
      watch?.(lane, lanes[lane]);
    }
  }
  return bitsOfF32(laneSum(lanes));
}

/**
 * Order: as {@linkcode dotQ1_0}, for every row and column.
 *
 * rows × cols dot products of n elements. The result is f32 bits, output (row, col) at
 * col · rows + row.
 *
 * @throws {RangeError} if n is not a positive multiple of 128, rows or cols is not a positive
 * integer, or a byte length is not exactly what the shape needs
 */
export function matmulQ1_0(input: MatmulInput): Uint32Array {
  checkMatmul(Q1_0_BLOCK, input);
  const { rows, cols, n, weights, activations } = input;
  const blocks = blocksInRow(Q1_0_BLOCK, n);
  const scales = weightScales(weights);
  const lanes = new Float32Array(8);
  const bits = new Uint32Array(rows * cols);
  for (let col = 0; col < cols; col++) {
    const products = laneProducts(n, activations, col * rowBytes(Q8_0_BLOCK, n));
    for (let row = 0; row < rows; row++) {
      for (let pair = 0; pair < 4; pair++) {
        addLanePair(lanes, pair, row * blocks, blocks, weights, scales, products);
      }
      bits[col * rows + row] = bitsOfF32(laneSum(lanes));
    }
  }
  return bits;
}

/**
 * Order: blocks ascending, inside a block its four q8_0 blocks ascending.
 *
 * Lanes 2 · pair and 2 · pair + 1 of one row, which share their sign bytes. d1 · s is exact in f32
 * (11 and at most 10 significant bits), so that adding the tabulated product gives the bits of the
 * fused operation. The product with d0 is not exact and stays fused.
 */
function addLanePair(
  lanes: Float32Array,
  pair: number,
  firstBlock: number,
  blocks: number,
  weights: Uint8Array,
  scales: Float32Array,
  products: Float32Array,
): void {
  let even = 0, odd = 0;
  for (let block = 0; block < blocks; block++) {
    const at = (firstBlock + block) * Q1_0_BLOCK.bytes + 2 + pair;
    const table = block * 512 + pair * 32; // 16 entries a lane, 128 a q8_0 block, 512 a block
    const signs0 = weights[at], signs1 = weights[at + 4];
    const signs2 = weights[at + 8], signs3 = weights[at + 12];

    let ab = products[table + (signs0 & 15)];
    ab = addF32(products[table + 128 + (signs1 & 15)], ab);
    ab = addF32(products[table + 256 + (signs2 & 15)], ab);
    ab = addF32(products[table + 384 + (signs3 & 15)], ab);
    const d0 = scales[firstBlock + block];
    even = fmaF32(d0, ab, even);

    ab = products[table + 16 + (signs0 >> 4)];
    ab = addF32(products[table + 144 + (signs1 >> 4)], ab);
    ab = addF32(products[table + 272 + (signs2 >> 4)], ab);
    ab = addF32(products[table + 400 + (signs3 >> 4)], ab);
    odd = fmaF32(d0, ab, odd);
  }
  lanes[2 * pair] = even;
  lanes[2 * pair + 1] = odd;
}

/**
 * d1 · s for each four activations of a column and each of the 16 patterns of their four signs:
 * entry 16 · ⌊element / 4⌋ + signs.
 */
function laneProducts(n: number, activations: Uint8Array, at: number): Float32Array {
  const { scales, quants } = unpackQ8_0(n, activations, at);
  const quantBytes = new Uint8Array(quants.buffer);
  const products = new Float32Array(n * 4);
  for (let entry = 0; entry < products.length; entry++) {
    const s = signedSum(entry & 15, quantBytes, (entry >> 4) * 4);
    products[entry] = mulF32(scales[entry >> 7], s);
  }
  return products;
}

/**
 * Σ of four quants from byte `at` on, +q where the sign bit is 1 and −q where it is 0. An exact
 * integer; the negation wraps in 8 bits, so −(−128) is −128.
 */
function signedSum(signs: number, quantBytes: Uint8Array, at: number): number {
  let s = 0;
  for (let j = 0; j < 4; j++) {
    const byte = quantBytes[at + j];
    const picked = ((signs >> j) & 1) === 1 ? byte : -byte;
    s += (picked << 24) >> 24;
  }
  return s;
}

function weightScales(weights: Uint8Array): Float32Array {
  const scales = new Float32Array(weights.length / Q1_0_BLOCK.bytes);
  for (let block = 0; block < scales.length; block++) {
    scales[block] = f32OfF16(u16At(weights, block * Q1_0_BLOCK.bytes));
  }
  return scales;
}

/** Order: ((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7)), each addition rounded. */
function laneSum(a: Float32Array): number {
  return addF32(
    addF32(addF32(a[0], a[4]), addF32(a[2], a[6])),
    addF32(addF32(a[1], a[5]), addF32(a[3], a[7])),
  );
}
