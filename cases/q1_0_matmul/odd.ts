/**
 * Rows on which a built fused multiply-add is wrong where its rounding to odd is only almost right.
 *
 * The last fused step of a lane is d0·ab + acc, with d0·ab = P·u for a 35-bit P that leaves 1,023
 * after division by 2,048: rounded to 24 bits it is N·2,048·u, and what that loses is one u less
 * than half a unit in its last place, H = 1,024·u. Then acc, which is nearly u, decides on which
 * side of H the rest lies. Rounded to f32, the rest is H itself, its neighbour or the next one, and
 * what is lost says where it came from: without that the last addition sees a tie, or sees none.
 *
 * @module
 */
import { below, mulberry32, type Random } from "../random.ts";
import { BlockWriter, Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";
import { FIRST_OF_LANES, halfOf, writeLane, writeRandomSigns, writeZeros } from "./trap.ts";

/** acc = `significand`·2^−`places`·u, and the parity of N for which a tie goes the wrong way. */
export interface Kind {
  readonly significand: number;
  readonly places: 23 | 24;
  readonly nIsOdd: boolean;
}

export const KINDS: readonly Kind[] = [
  // The rest is H less 2^-24 u: rounded it is H, and comes from below.
  { significand: 2 ** 24 - 1, places: 24, nIsOdd: true },
  // H and two units less a little, and H less two units and a little: the even neighbours of H's.
  { significand: 2 ** 23 + 2 ** 11 - 1, places: 23, nIsOdd: false },
  { significand: 2 ** 24 - 2 ** 11 + 1, places: 24, nIsOdd: true },
  // H and one unit less a little, and H less one and a little: odd, and to be left alone.
  { significand: 2 ** 23 + 2 ** 10 - 1, places: 23, nIsOdd: false },
  { significand: 2 ** 24 - 2 ** 10 + 1, places: 24, nIsOdd: true },
  // H less 2^-16 u: rounded to f32 the rest is H, while f64 still sees all of the sum. It tells a
  // built fma without rounding to odd from one that is computed in f64.
  { significand: 2 ** 24 - 2 ** 8, places: 24, nIsOdd: true },
];

/**
 * Draws a matrix in which column c is of kind c mod 6 and has one live lane, c mod 8. One pair of
 * blocks holds acc and the product (at a place that the seed decides); all others are zero.
 *
 * @param n a multiple of 256
 */
export function drawRoundingToOdd(n: number, rows: number, cols: number, seed: number): Q1Input {
  const random = mulberry32(seed);
  const m = 1025 + 2 * below(random, 512); // odd: every remainder of m·A is possible
  const blocks = n / 128;
  const pairAt = 2 * below(random, blocks / 2);
  const weights = new BlockWriter(rows * blocks * Q1_BLOCK);
  for (let row = 0; row < rows; row++) {
    const x = -7 + below(random, 11); // u = 2^(x-10)
    const sign = (random() & 1) << 15; // of acc and of the product
    for (let block = 0; block < blocks; block++) {
      // acc's last place is 2^(x-33) or 2^(x-34); its activations stand at 2^-17 or 2^-18.
      const scale = block === pairAt ? halfOf(1, x - 16) : halfOf(m, x);
      weights.half(scale | sign);
      if (block === pairAt || block === pairAt + 1) writeAddedSigns(weights, random);
      else writeRandomSigns(weights, random);
    }
  }
  const activations = new BlockWriter(cols * blocks * 4 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const kind = KINDS[col % KINDS.length]!;
    const a = factorFor(m, kind.nIsOdd, random);
    for (let block = 0; block < blocks; block++) {
      if (block === pairAt) {
        writeWhole(activations, col % 8, 6 - kind.places, kind.significand);
      } else if (block === pairAt + 1) writeWhole(activations, col % 8, -10, a);
      else writeZeros(activations);
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

/** A 24-bit A such that m·A has 35 bits and leaves 1,023 modulo 2,048, with N of the parity. */
export function factorFor(m: number, nIsOdd: boolean, random: Random): number {
  let remainder = 0;
  while ((m * remainder) % 2048 !== 1023) remainder++;
  const least = Math.ceil(2 ** 34 / m / 2048);
  for (;;) {
    const a = remainder + 2048 * (least + below(random, 2 ** 13 - least));
    if (Math.floor(m * a / 2048) % 2 === (nIsOdd ? 1 : 0)) return a;
  }
}

/** Random signs, but the first weight of each lane is added. */
function writeAddedSigns(out: BlockWriter, random: Random): void {
  for (let i = 0; i < 16; i++) out.byte((random() & 255) | FIRST_OF_LANES);
}

/** ab = value·2^e exactly: one quant of 1 for each of the value's three bytes, all in one lane. */
function writeWhole(out: BlockWriter, lane: number, e: number, value: number): void {
  for (let k = 0; k < 3; k++) {
    const byte = (value >>> (8 * k)) & 255;
    writeLane(out, byte === 0 ? 0 : halfOf(byte, 8 * k + e), lane, [1, 0, 0, 0]);
  }
  writeLane(out, halfOf(1, -10), lane, [0, 0, 0, 0]);
}
