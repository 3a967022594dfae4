/**
 * Rows on which a fused multiply-add that is almost right gives other bits.
 *
 * The last fused step of a lane is d0·ab + acc. Here acc = C·2^35·u with a 24-bit C, and
 * d0·ab = P·u with P = m·A = 2^34 + r: half a unit in the last place of acc, and a residue
 * 1 ≤ |r| ≤ 31. The exact sum needs 59 bits. Rounded to f64 first (one unit there is 64 u), the
 * residue is lost, the sum becomes a tie, and the tie goes to the even neighbour; so does the
 * product rounded by itself. With r > 0 and an even C, or r < 0 and an odd C, that is the wrong
 * neighbour, whatever the signs.
 *
 * @module
 */
import { below, mulberry32, type Random } from "../random.ts";
import { BlockWriter, Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";

/** An 11-bit weight mantissa and a 24-bit ab whose product is nearly 2^34. */
interface Factors {
  readonly m: number;
  readonly a: number;
  /** r > 0 */
  readonly above: boolean;
}

const HALF_UNIT = 2 ** 34;

/** Every odd 11-bit m with a 24-bit A such that 1 ≤ |m·A − 2^34| ≤ 31. */
const FACTORS: readonly Factors[] = Array.from({ length: 512 }, (_, i) => 1025 + 2 * i).flatMap(
  (m) => {
    const a = Math.round(HALF_UNIT / m);
    const residue = m * a - HALF_UNIT;
    return Math.abs(residue) <= 31 ? [{ m, a, above: residue > 0 }] : [];
  },
);

/** f16 bits of mantissa·2^exponent, for a mantissa of at most 11 bits in f16's normal range. */
export function halfOf(mantissa: number, exponent: number): number {
  const shift = 10 - (31 - Math.clz32(mantissa));
  const field = exponent - shift + 25;
  if (field >= 1) return (field << 10) | ((mantissa << shift) & 1023);
  return mantissa << (exponent + 24); // subnormal: a multiple of 2^-24
}

/**
 * Draws a matrix in which every output is a trap. Column c has one live lane, c mod 8, so that the
 * final additions, of zeros, cannot hide the difference. One pair of blocks sets the trap (at a
 * place that the seed decides); the activations of all others are zero.
 *
 * @param n a multiple of 256
 */
export function drawTraps(n: number, rows: number, cols: number, seed: number): Q1Input {
  const random = mulberry32(seed);
  const factors = FACTORS[below(random, FACTORS.length)]!;
  const blocks = n / 128;
  const pairAt = 2 * below(random, blocks / 2);
  const weights = new BlockWriter(rows * blocks * Q1_BLOCK);
  for (let row = 0; row < rows; row++) {
    // d0 = m·2^x in the trap; 2^(22+x) before it, which puts acc 35 places above P (see below).
    const x = -24 + below(random, 18);
    for (let block = 0; block < blocks; block++) {
      if (block === pairAt) {
        weights.half(halfOf(1, 22 + x));
        writeAccumulatorSigns(weights, random);
      } else if (block === pairAt + 1) {
        weights.half(halfOf(factors.m, x));
        writeHalfUnitSigns(weights, random);
      } else {
        weights.half(halfOf(1024 + below(random, 1024), -10));
        writeRandomSigns(weights, random);
      }
    }
  }
  const activations = new BlockWriter(cols * blocks * 4 * Q8_BLOCK);
  for (let col = 0; col < cols; col++) {
    const e = -24 + (col % 8);
    for (let block = 0; block < blocks; block++) {
      if (block === pairAt) writeAccumulator(activations, col % 8, e + 13, factors.above);
      else if (block === pairAt + 1) writeHalfUnit(activations, col % 8, e, factors.a);
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

/** The first weight of each lane: bit 0 of the even lane in a byte, bit 4 of the odd one. */
export const FIRST_OF_LANES = 0b00010001;

/** Random signs, but C needs its 24 bits: the largest quant, in sub-block 3, is always added. */
function writeAccumulatorSigns(out: BlockWriter, random: Random): void {
  for (let i = 0; i < 16; i++) {
    out.byte(i < 12 ? random() & 255 : (random() & 255) | FIRST_OF_LANES);
  }
}

/** Random signs, but the three bytes of A are added or subtracted together in each lane. */
function writeHalfUnitSigns(out: BlockWriter, random: Random): void {
  const together = Array.from({ length: 4 }, () => random() & FIRST_OF_LANES);
  for (let i = 0; i < 16; i++) {
    out.byte((random() & 255 & ~FIRST_OF_LANES) | together[i & 3]!);
  }
}

export function writeRandomSigns(out: BlockWriter, random: Random): void {
  for (let i = 0; i < 16; i++) out.byte(random() & 255);
}

/**
 * ab = C·2^e exactly: sub-block k brings six bits at 2^(6k+e), C in [2^23, 2^24), and its parity is
 * that of the last quant of sub-block 0.
 */
function writeAccumulator(out: BlockWriter, lane: number, e: number, even: boolean): void {
  const digits = [[16, 8, 4, even ? 2 : 1], [16, 8, 4, 2], [16, 8, 4, 2], [48, 8, 4, 2]];
  digits.forEach((quants, k) => writeLane(out, halfOf(1, 6 * k + e), lane, quants));
}

/** ab = ±A·2^e exactly: one quant for each of A's three bytes, all in one lane. */
function writeHalfUnit(out: BlockWriter, lane: number, e: number, a: number): void {
  for (let k = 0; k < 3; k++) {
    const byte = (a >>> (8 * k)) & 255;
    writeLane(out, byte === 0 ? 0 : halfOf(byte, 8 * k + e), lane, [1, 0, 0, 0]);
  }
  writeLane(out, halfOf(1, e), lane, [0, 0, 0, 0]);
}

export function writeZeros(out: BlockWriter): void {
  for (let k = 0; k < 4; k++) writeLane(out, halfOf(1, -10), 0, [0, 0, 0, 0]);
}

/** One q8_0 block, zero but for the four quants of a lane. */
export function writeLane(out: BlockWriter, scale: number, lane: number, quants: number[]): void {
  out.half(scale);
  for (let i = 0; i < 32; i++) out.byte(i >> 2 === lane ? quants[i & 3]! : 0);
}
