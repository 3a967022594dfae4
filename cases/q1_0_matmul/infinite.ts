/**
 * Products with infinite scales in which the sign of every sum counts: each output is infinite with
 * a sign, or NaN because a single lane has the other one. Random sums cannot tell much there, since
 * eight lanes of random signs are NaN nearly always.
 *
 * Every four quants have one that decides, of 100 or more, while the others together stay below: so
 * a quant, sign bit or lane taken for another one changes the sign of a sum. -128 decides where the
 * sum is to be negative, whatever its sign bit is.
 *
 * @module
 */
import { below, mulberry32, type Random } from "../random.ts";
import { BlockWriter, Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";
import { halfOf } from "./trap.ts";

const INFINITY = 0x7c00;

/**
 * Draws a matrix whose even rows have one infinite scale, with activations whose odd columns have
 * one. All rows have the same sign bits.
 */
export function drawInfinite(n: number, rows: number, cols: number, seed: number): Q1Input {
  const random = mulberry32(seed);
  const blocks = n / 128;
  const signs = Uint8Array.from({ length: blocks * 16 }, () => random());
  const weights = new BlockWriter(rows * blocks * Q1_BLOCK);
  for (let row = 0; row < rows; row++) {
    const infiniteAt = row % 2 === 0 ? below(random, blocks) : -1;
    for (let block = 0; block < blocks; block++) {
      const sign = (random() & 1) << 15;
      weights.half(sign | (block === infiniteAt ? INFINITY : scale(random)));
      for (let i = 0; i < 16; i++) weights.byte(signs[16 * block + i]!);
    }
  }
  const activations = new BlockWriter(cols * blocks * 4 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const infiniteAt = col % 2 === 1 ? below(random, 4 * blocks) : -1;
    // The lane that is not as the others are: the last one first.
    const otherLane = col % 4 > 1 ? 7 - (col >> 2) % 8 : -1;
    for (let sub = 0; sub < 4 * blocks; sub++) {
      // Where it is the sub-block's scale that is infinite, each sub-block has a sign of its own.
      const isNegative = infiniteAt < 0 ? ((col + (sub >> 2)) & 1) === 1 : (random() & 1) === 1;
      activations.half(sub === infiniteAt ? INFINITY : scale(random));
      for (let lane = 0; lane < 8; lane++) {
        const bits = signs[4 * sub + (lane >> 1)]! >> (4 * (lane & 1));
        writeDecided(activations, bits, isNegative !== (lane === otherLane), random);
      }
    }
  }
  return {
    n,
    rows,
    cols,
    distinctRows: rows,
    weights: weights.bytes,
    activations: activations.bytes,
  };
}

/** A finite scale of a layer's size, without its sign. */
function scale(random: Random): number {
  return halfOf(1024 + below(random, 1024), -18 + below(random, 4));
}

/** Four quants whose sum, with the signs that the bits give them, has the sign wanted. */
function writeDecided(
  writer: BlockWriter,
  bits: number,
  isNegative: boolean,
  random: Random,
): void {
  const decides = below(random, 4);
  for (let i = 0; i < 4; i++) {
    const isAdded = ((bits >> i) & 1) === 1;
    if (i !== decides) writer.byte(below(random, 61) - 30);
    else if (isNegative && below(random, 2) === 0) writer.byte(-128);
    else writer.byte((isNegative === isAdded ? -1 : 1) * (100 + below(random, 28)));
  }
}
