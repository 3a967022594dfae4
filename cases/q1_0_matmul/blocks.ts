/**
 * Blocks drawn by fills: the input of most cases.
 *
 * @module
 */
import { mulberry32 } from "../random.ts";
import type { QuantFill, ScaleFill, SignFill } from "./fills.ts";
import { BlockWriter, Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";

/** How an input is drawn. */
export interface Drawing {
  readonly n: number;
  readonly rows: number;
  readonly cols: number;
  readonly seed: number;
  /** Default: all rows. */
  readonly distinctRows?: number;
  readonly weightScales: ScaleFill;
  readonly signs: SignFill;
  readonly activationScales: ScaleFill;
  readonly quants: QuantFill;
}

/**
 * Draws weights and the first column of activations from the seed, and column c > 0 from a
 * generator of its own, seeded 100·seed + c: the order of the engine's own test.
 */
export function drawInput(drawing: Drawing): Q1Input {
  const { n, rows, cols, seed, distinctRows = rows } = drawing;
  const random = mulberry32(seed);
  const blocks = n / 128;
  const weights = new BlockWriter(distinctRows * blocks * Q1_BLOCK);
  for (let row = 0; row < distinctRows; row++) {
    for (let block = 0; block < blocks; block++) {
      weights.half(drawing.weightScales(random));
      for (let i = 0; i < 16; i++) weights.byte(drawing.signs(random, i, block, row));
    }
  }
  const activations = new BlockWriter(cols * blocks * 4 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const columnRandom = col === 0 ? random : mulberry32(100 * seed + col);
    for (let block = 0; block < blocks * 4; block++) {
      activations.half(drawing.activationScales(columnRandom));
      for (let i = 0; i < 32; i++) activations.byte(drawing.quants(columnRandom, i, block, col));
    }
  }
  return { n, rows, cols, distinctRows, weights: weights.bytes, activations: activations.bytes };
}
