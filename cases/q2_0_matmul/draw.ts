/**
 * Inputs of `q2_0_matmul`: drawn by fills, or so that every output is a trap.
 *
 * @module
 */
import { BlockWriter, Q8_BLOCK } from "../q1_0_matmul/input.ts";
import type { QuantFill, ScaleFill } from "../q1_0_matmul/fills.ts";
import { halfOf } from "../q1_0_matmul/trap.ts";
import { below, mulberry32, type Random } from "../random.ts";
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
      for (let i = 0; i < 16; i++) weights.byte(i % 8 === 7 ? 0b10_11_11_11 : 255);
    }
  }
  const activations = new BlockWriter(cols * n / 32 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const first = 2 ** 23 + (random() >>> 9);
    for (let block = 0; block < n / 64; block++) {
      if (block === pairAt) {
        writeSum(activations, 11, first >>> 12);
        writeSum(activations, -1, first & 4095);
      } else if (block === pairAt + 1) {
        writeSum(activations, 0, a >>> 12);
        writeSum(activations, -12, a & 4095);
      } else {
        writeSum(activations, 0, 0);
        writeSum(activations, 0, 0);
      }
    }
  }
  return { n, rows, cols, weights: weights.bytes, activations: activations.bytes };
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
