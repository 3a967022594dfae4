/**
 * Packings of Q1_0 · q8_0 and Q2_0 · q8_0 products for the GPU. Each input is packed once, however
 * many kernels ask for it.
 *
 * @module
 */
import { Q1_BLOCK, type Q1Input, Q8_BLOCK } from "../cases/q1_0_matmul/input.ts";
import { Q2_BLOCK, type Q2Input } from "../cases/q2_0_matmul/input.ts";

/** The blocks as they are, in whole words of four bytes. */
export interface PackedBlocks {
  /** Q1_0 blocks of all rows. */
  readonly weights: Uint8Array;
  /** q8_0 blocks of all columns. */
  readonly activations: Uint8Array;
}

/** The same numbers, aligned: scales widened to f32, sign bits and quants in words. */
export interface AlignedBlocks {
  /** One f32 (as bits) a block of 128 weights. */
  readonly weightScales: Uint8Array;
  /** Four words a block of 128 weights; weight j is bit j % 32 of word j / 32. */
  readonly signs: Uint8Array;
  /** One f32 (as bits) a block of 32 activations. */
  readonly activationScales: Uint8Array;
  /** Eight words a block of 32 activations, four quants to a word, the first lowest. */
  readonly quants: Uint8Array;
}

function once<Input extends object, Packed>(pack: (input: Input) => Packed) {
  const packed = new WeakMap<Input, Packed>();
  return (input: Input): Packed => {
    const known = packed.get(input);
    if (known) return known;
    const fresh = pack(input);
    packed.set(input, fresh);
    return fresh;
  };
}

/** Repeats `bytes` until `byteLength` are filled: rows beyond the distinct ones repeat them. */
function repeated(bytes: Uint8Array, byteLength: number): Uint8Array {
  const all = new Uint8Array((byteLength + 3) & ~3);
  for (let at = 0; at < byteLength; at += bytes.length) {
    all.set(bytes.subarray(0, byteLength - at), at);
  }
  return all;
}

/** For kernels that read the formats' own bytes. */
export const packBlocks: (input: Q1Input) => PackedBlocks = once((input: Q1Input) => ({
  weights: repeated(input.weights, input.rows * (input.n / 128) * Q1_BLOCK),
  activations: repeated(input.activations, input.activations.length),
}));

/** For kernels that read aligned words. */
export const packAligned: (input: Q1Input) => AlignedBlocks = once((input: Q1Input) => {
  const weights = split(input.weights, Q1_BLOCK);
  const activations = split(input.activations, Q8_BLOCK);
  const blocks = input.rows * (input.n / 128);
  return {
    weightScales: repeated(weights.scales, 4 * blocks),
    signs: repeated(weights.rest, 16 * blocks),
    activationScales: activations.scales,
    quants: activations.rest,
  };
});

/** The weights of {@linkcode AlignedBlocks}, those of neighbouring rows next to each other. */
export interface BlockMajor {
  /** One f32 (as bits) a block, at block · rows + row. */
  readonly weightScales: Uint8Array;
  /** Four words a block, likewise; weight 4 · lane + i of a sub-block is bit 8 · i + lane of its word. */
  readonly signs: Uint8Array;
}

/** For kernels whose neighbouring invocations read neighbouring rows. */
export const packBlockMajor: (input: Q1Input) => BlockMajor = once((input: Q1Input) => {
  const { rows, distinctRows, n } = input;
  const weights = split(input.weights, Q1_BLOCK);
  const transposed = (words: Uint32Array, wordsPerBlock: number) =>
    new Uint8Array(transpose(words, { rows, distinctRows, blocks: n / 128, wordsPerBlock }).buffer);
  return {
    weightScales: transposed(new Uint32Array(weights.scales.buffer), 1),
    signs: transposed(new Uint32Array(weights.rest.buffer).map(byLane), 4),
  };
});

/** A Q2_0 · q8_0 product, the weights of neighbouring rows next to each other. */
export interface BlockMajorCodes {
  /** One f32 (as bits) a block of 64 weights, at block · rows + row. */
  readonly weightScales: Uint8Array;
  /** Four words a block, likewise; code 4 · g + i of a word's 16 is at bit 8 · i + 2 · g. */
  readonly codes: Uint8Array;
  /** One f32 (as bits) a block of 32 activations. */
  readonly activationScales: Uint8Array;
  /** Eight words a block of 32 activations, four quants to a word, the first lowest. */
  readonly quants: Uint8Array;
}

/** As {@linkcode packBlockMajor}, and the activations as {@linkcode packAligned}. */
export const packCodes: (input: Q2Input) => BlockMajorCodes = once((input: Q2Input) => {
  const { rows, n } = input;
  const weights = split(input.weights, Q2_BLOCK);
  const activations = split(input.activations, Q8_BLOCK);
  const transposed = (words: Uint32Array, wordsPerBlock: number) =>
    new Uint8Array(
      transpose(words, { rows, distinctRows: rows, blocks: n / 64, wordsPerBlock }).buffer,
    );
  return {
    weightScales: transposed(new Uint32Array(weights.scales.buffer), 1),
    codes: transposed(new Uint32Array(weights.rest.buffer).map(byPlace), 4),
    activationScales: activations.scales,
    quants: activations.rest,
  };
});

/** Code 4 · g + i from bit 8 · g + 2 · i to bit 8 · i + 2 · g: its own inverse. */
function byPlace(codes: number): number {
  let placed = 0;
  for (let g = 0; g < 4; g++) {
    for (let i = 0; i < 4; i++) placed |= ((codes >>> (8 * g + 2 * i)) & 3) << (8 * i + 2 * g);
  }
  return placed;
}

interface Blocks {
  readonly rows: number;
  /** The rows given; those beyond repeat them. */
  readonly distinctRows: number;
  readonly blocks: number;
  readonly wordsPerBlock: number;
}

/** From rows of blocks to blocks of rows. */
function transpose(
  words: Uint32Array,
  { rows, distinctRows, blocks, wordsPerBlock }: Blocks,
): Uint32Array {
  const all = new Uint32Array(rows * blocks * wordsPerBlock);
  for (let row = 0; row < rows; row++) {
    const from = (row % distinctRows) * blocks;
    for (let block = 0; block < blocks; block++) {
      for (let i = 0; i < wordsPerBlock; i++) {
        all[(block * rows + row) * wordsPerBlock + i] = words[(from + block) * wordsPerBlock + i]!;
      }
    }
  }
  return all;
}

/** Two lanes' bits of a byte, each lane's four a byte apart: bit i to 8 · i, bit 4 + i to 8 · i + 1. */
const SPREAD = Uint32Array.from({ length: 256 }, (_, byte) => {
  let spread = 0;
  for (let bit = 0; bit < 8; bit++) spread |= ((byte >> bit) & 1) << (8 * (bit & 3) + (bit >> 2));
  return spread;
});

/** Bit 4 · lane + i to bit 8 · i + lane. */
function byLane(signs: number): number {
  return SPREAD[signs & 255]! | (SPREAD[(signs >> 8) & 255]! << 2) |
    (SPREAD[(signs >> 16) & 255]! << 4) | (SPREAD[signs >>> 24]! << 6);
}

/** Takes blocks of an f16 scale and other bytes apart: the scales as f32, the rest as it is. */
function split(blocks: Uint8Array, blockBytes: number): { scales: Uint8Array; rest: Uint8Array } {
  const count = blocks.length / blockBytes;
  const restBytes = blockBytes - 2;
  const scales = new Uint32Array(count);
  const rest = new Uint8Array(count * restBytes);
  for (let i = 0; i < count; i++) {
    const at = i * blockBytes;
    scales[i] = f32BitsOfF16(blocks[at]! | (blocks[at + 1]! << 8));
    rest.set(blocks.subarray(at + 2, at + blockBytes), i * restBytes);
  }
  return { scales: new Uint8Array(scales.buffer), rest };
}

/** Widens an f16 exactly, bits to bits; a NaN keeps its payload, signalling ones too. */
function f32BitsOfF16(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 31;
  let mantissa = half & 1023;
  if (exponent === 31) return (sign | 0x7f800000 | (mantissa << 13)) >>> 0;
  if (exponent > 0) return (sign | ((exponent + 112) << 23) | (mantissa << 13)) >>> 0;
  if (mantissa === 0) return sign >>> 0;
  // A subnormal: shift its leading bit to where f32 does not store it.
  const shift = Math.clz32(mantissa) - 21;
  mantissa = (mantissa << shift) & 1023;
  return (sign | ((113 - shift) << 23) | (mantissa << 13)) >>> 0;
}
