/**
 * Named ways to fill scales, sign bits and quants.
 *
 * @module
 */
import { below, type Random } from "../random.ts";

/** Draws the scale of one block: f16 bits. */
export type ScaleFill = (random: Random) => number;
/** Draws the byte of sign bits at `index` (0..15) of block `block` of a row. */
export type SignFill = (random: Random, index: number, block: number, row: number) => number;
/** Draws the quant at `index` (0..31) of block `block` of a column. */
export type QuantFill = (random: Random, index: number, block: number, col: number) => number;

const half = (sign: number, exponent: number, mantissa: number) =>
  (sign << 15) | (exponent << 10) | mantissa;

/** Sign, exponent field in [first, end), mantissa; three draws in this order. */
function scaleIn(first: number, end: number): ScaleFill {
  return (random) => {
    const sign = random() & 1;
    const exponent = first + below(random, end - first);
    return half(sign, exponent, random() & 1023);
  };
}

/** The engine's own scales: 2^-12 to 4. */
const engine = scaleIn(3, 17);

/** One block in four is special, so that ordinary blocks stand before and after it. */
function sometimes(special: ScaleFill): ScaleFill {
  return (random) => below(random, 4) === 0 ? special(random) : engine(random);
}

const infinite: ScaleFill = (random) => half(random() & 1, 31, 0);
// From the smallest payload, a signalling NaN, upwards.
const notANumber: ScaleFill = (random) => half(random() & 1, 31, 1 + below(random, 1023));

/** Zero, infinite, or the engine's own: infinities that meet zeros before and after. */
const zerosAndInfinities: ScaleFill = (random) => {
  const kind = below(random, 3);
  return kind === 0 ? engine(random) : half(random() & 1, kind === 1 ? 0 : 31, 0);
};

export const SCALES: Readonly<Record<string, ScaleFill>> = {
  engine,
  any: scaleIn(0, 31),
  zero: () => 0x0000,
  negative_zero: () => 0x8000,
  zeros: (random) => half(random() & 1, 0, 0),
  subnormal: (random) => half(random() & 1, 0, 1 + below(random, 1023)),
  smallest: (random) => half(random() & 1, 0, 1),
  tiny: scaleIn(0, 3),
  huge: scaleIn(28, 31),
  largest: (random) => half(random() & 1, 30, 1023),
  negative: (random) => engine(random) | 0x8000,
  one: () => 0x3c00,
  infinite: sometimes(infinite),
  nan: sometimes(notANumber),
  // The NaN that arithmetic makes, whose payload is one bit.
  quiet_nan: sometimes((random) => half(random() & 1, 31, 512)),
  zeros_infinite: zerosAndInfinities,
  special: sometimes((random) => (random() & 1 ? infinite : notANumber)(random)),
  // What trained 1-bit weights and their activations look like: 2^-8 to 2^-4, 2^-10 to 1.
  layer_weights: scaleIn(7, 11),
  layer_activations: scaleIn(5, 15),
};

export const SIGNS: Readonly<Record<string, SignFill>> = {
  random: (random) => random() & 255,
  ones: () => 255,
  zeros: () => 0,
  alternate: () => 0b01010101,
  // One weight of each block is +, another in each row and block.
  one_hot: (_random, index, block, row) => {
    const position = (row + 5 * block) % 128;
    return index === position >> 3 ? 1 << (position & 7) : 0;
  },
};

export const QUANTS: Readonly<Record<string, QuantFill>> = {
  // One draw decides whether it is -128 (2 in 100); only if not, a second one draws the value.
  engine: (random) => below(random, 100) < 2 ? -128 : below(random, 255) - 127,
  any: (random) => below(random, 256) - 128,
  m128: () => -128,
  p127: () => 127,
  zero: () => 0,
  // One activation of each block is not zero, another in each column and block.
  one_hot: (random, index, block, col) =>
    index === (col + 3 * block) % 32 ? below(random, 2) * 255 - 128 : 0,
};
