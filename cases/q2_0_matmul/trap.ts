/**
 * Inputs of `q2_0_matmul` of which every output is a trap.
 *
 * @module
 */
import { BlockWriter, Q8_BLOCK } from "../q1_0_matmul/input.ts";
import { halfOf } from "../q1_0_matmul/trap.ts";
import { below, mulberry32 } from "../random.ts";
import type { Shape } from "./draw.ts";
import { Q2_BLOCK, type Q2Input } from "./input.ts";

const HALF_UNIT = 2 ** 34;

/** Odd 11-bit m with a 24-bit A such that 1 ≤ |m·A − 2^34| ≤ 15: see the traps of `q1_0_matmul`. */
const FACTORS: readonly (readonly [m: number, a: number])[] = Array.from(
  { length: 512 },
  (_, i) => 1025 + 2 * i,
).flatMap((m) => {
  const a = Math.round(HALF_UNIT / m);
  return Math.abs(m * a - HALF_UNIT) <= 15 ? [[m, a] as const] : [];
});

/**
 * Of two blocks the first makes a sum of 24 bits, and the second adds half of that sum's last place
 * and a little more or less, which f64 cannot hold beside it. All other blocks add zero.
 *
 * @param shape of an n that is a multiple of 128
 */
export function drawTraps({ n, rows, cols, seed }: Shape): Q2Input {
  const random = mulberry32(seed);
  const [m, a] = FACTORS[below(random, FACTORS.length)]!;
  const pairAt = 2 * below(random, n / 128);
  const weights = new BlockWriter(rows * n / 64 * Q2_BLOCK);
  for (let row = 0; row < rows; row++) {
    const power = below(random, 14); // a scale of the whole row
    for (let block = 0; block < n / 64; block++) {
      weights.half(block === pairAt + 1 ? halfOf(m, power - 24) : halfOf(1, power));
      writeTwos(weights);
    }
  }
  const activations = new BlockWriter(cols * n / 32 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const first = 2 ** 23 + (random() >>> 9);
    for (let block = 0; block < n / 64; block++) {
      if (block === pairAt) {
        writeWhole(activations, -1, first);
      } else if (block === pairAt + 1) {
        writeWhole(activations, -12, a);
      } else {
        writeWhole(activations, 0, 0);
      }
    }
  }
  return { n, rows, cols, weights: weights.bytes, activations: activations.bytes };
}

/** The codes of a block: +2, but +1 for the last weight of each of its halves. */
export function writeTwos(out: BlockWriter): void {
  for (let i = 0; i < 16; i++) out.byte(i % 8 === 7 ? 0b10_11_11_11 : 255);
}

/** Two blocks of activations that sum to value · 2^power exactly, of at most 24 bits. */
export function writeWhole(out: BlockWriter, power: number, value: number): void {
  writeSum(out, power + 12, value >>> 12);
  writeSum(out, power, value & 4095);
}

/** A block of the scale 2^power whose quants, 31 of them doubled and the last one not, sum to s. */
function writeSum(out: BlockWriter, power: number, s: number): void {
  out.half(halfOf(1, power));
  let left = s >> 1;
  for (let j = 0; j < 31; j++) {
    const quant = Math.min(left, 127);
    out.byte(quant);
    left -= quant;
  }
  out.byte(s & 1);
}
