/**
 * Rows on which a built fused multiply-add is wrong where its rounding to odd is only almost right:
 * the triples of `q1_0_matmul`'s group of this name, in the one sum that a row has here.
 *
 * @module
 */
import { BlockWriter, Q8_BLOCK } from "../q1_0_matmul/input.ts";
import { factorFor, KINDS } from "../q1_0_matmul/odd.ts";
import { halfOf } from "../q1_0_matmul/trap.ts";
import { below, mulberry32 } from "../random.ts";
import type { Shape } from "./draw.ts";
import { Q2_BLOCK, type Q2Input } from "./input.ts";
import { writeTwos, writeWhole } from "./trap.ts";

/**
 * Draws a matrix in which column c is of kind c mod 6. One pair of blocks holds the sum and the
 * product that is added to it; all others are zero.
 *
 * @param shape of an n that is a multiple of 128
 */
export function drawRoundingToOdd({ n, rows, cols, seed }: Shape): Q2Input {
  const random = mulberry32(seed);
  const m = 1025 + 2 * below(random, 512);
  const pairAt = 2 * below(random, n / 128);
  const weights = new BlockWriter(rows * n / 64 * Q2_BLOCK);
  for (let row = 0; row < rows; row++) {
    const x = -7 + below(random, 11);
    const sign = (random() & 1) << 15;
    for (let block = 0; block < n / 64; block++) {
      weights.half((block === pairAt ? halfOf(1, x - 16) : halfOf(m, x)) | sign);
      writeTwos(weights);
    }
  }
  const activations = new BlockWriter(cols * n / 32 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const { significand, places, nIsOdd } = KINDS[col % KINDS.length]!;
    const a = factorFor(m, nIsOdd, random);
    for (let block = 0; block < n / 64; block++) {
      if (block === pairAt) writeWhole(activations, 6 - places, significand);
      else if (block === pairAt + 1) writeWhole(activations, -10, a);
      else writeWhole(activations, 0, 0);
    }
  }
  return { n, rows, cols, weights: weights.bytes, activations: activations.bytes };
}
