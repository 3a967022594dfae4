/**
 * Inputs of `q2_0_matmul` that are drawn by fills.
 *
 * @module
 */
import { BlockWriter, Q8_BLOCK } from "../q1_0_matmul/input.ts";
import type { QuantFill, ScaleFill } from "../q1_0_matmul/fills.ts";
import { mulberry32, type Random } from "../random.ts";
import { Q2_BLOCK, type Q2Input } from "./input.ts";

/** What an input's size and numbers come from. */
export interface Shape {
  readonly n: number;
  readonly rows: number;
  readonly cols: number;
  readonly seed: number;
}

/** Draws the byte of four codes at `index` of a block. */
export type CodeFill = (random: Random, index: number) => number;

export const CODES: Readonly<Record<string, CodeFill>> = {
  random: (random) => random() & 255,
  /** +2, the code that a ternary matrix does not use. */
  threes: () => 255,
  minus: () => 0,
  none: () => 0b01010101,
  plus: () => 0b10101010,
  /** One weight of a block is +2, the others are none. */
  one_hot: (_random, index) => index === 5 ? 0b01110101 : 0b01010101,
};

export function drawProduct(
  { n, rows, cols, seed }: Shape,
  w: ScaleFill,
  codes: CodeFill,
  a: ScaleFill,
  quants: QuantFill,
): Q2Input {
  const random = mulberry32(seed);
  const weights = new BlockWriter(rows * n / 64 * Q2_BLOCK);
  for (let block = 0; block < rows * n / 64; block++) {
    weights.half(w(random));
    for (let i = 0; i < 16; i++) weights.byte(codes(random, i));
  }
  const activations = new BlockWriter(cols * n / 32 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    for (let block = 0; block < n / 32; block++) {
      activations.half(a(random));
      for (let i = 0; i < 32; i++) activations.byte(quants(random, i, block, col));
    }
  }
  return { n, rows, cols, weights: weights.bytes, activations: activations.bytes };
}
