/**
 * Named ways to fill blocks of 32 activations, as f32 bits.
 *
 * @module
 */
import { below, type Random } from "../random.ts";

/** Draws one block. */
export type ActivationFill = (random: Random) => Uint32Array;

const NEGATIVE = 0x80000000;
const INFINITY = 0x7f800000;
const BLOCK = 32;

const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;
const f32Of = (bits: number) => new Float32Array(Uint32Array.of(bits).buffer)[0]!;

/** Each word drawn for itself. */
const each = (draw: (random: Random, index: number) => number): ActivationFill => (random) =>
  Uint32Array.from({ length: BLOCK }, (_, i) => draw(random, i));

const signed = (random: Random, size: number) => ((random() & NEGATIVE) | size) >>> 0;

/** Exponent fields from `first` to below `end`. */
const sizes = (first: number, end: number): ActivationFill =>
  each((random) =>
    signed(random, (first + below(random, end - first)) << 23 | (random() & 0x7fffff))
  );

const layer = sizes(117, 131); // 2^-10 to 2^3

/** What enters a layer, with special words among it. */
const among = (special: (random: Random) => number): ActivationFill => (random) =>
  layer(random).map((word) => below(random, 6) === 0 ? special(random) : word);

const infinite = (random: Random) => signed(random, INFINITY);
// From the smallest payload, a signalling NaN, upwards.
const notANumber = (random: Random) => signed(random, INFINITY | (1 + below(random, 0x7fffff)));

/** The largest is 127 times a power of two: x · 127 / amax is exactly an integer and a half. */
const ties: ActivationFill = (random) => {
  const step = 2 ** (below(random, 40) - 20);
  return Uint32Array.from({ length: BLOCK }, (_, i) => {
    const value = i === 0 ? 127 : below(random, 127) + 0.5;
    return bitsOf((random() & 1 ? value : -value) * step);
  });
};

/** Within a unit in the last place of an integer and a half: any other factor shows. */
const besideTies: ActivationFill = (random) => {
  const amax = f32Of((0x3f800000 | (random() & 0x7fffff)) >>> 0);
  return Uint32Array.from({ length: BLOCK }, (_, i) => {
    if (i === 0) return bitsOf(amax);
    return bitsOf((below(random, 127) + 0.5) * amax / 127) + below(random, 3) - 1;
  });
};

/**
 * The largest is near 127 times a value halfway between two f16, subnormal ones among them: both
 * roundings of the scale show.
 */
const scaleTies: ActivationFill = (random) => {
  const halfway = below(random, 4) === 0
    ? (below(random, 1023) + 0.5) * 2 ** -24
    : (2 * (1024 + below(random, 1024)) + 1) * 2 ** (below(random, 29) - 25);
  const amax = bitsOf(127 * halfway) + below(random, 5) - 2;
  const rest = layer(random).map((word) => (word & NEGATIVE) >>> 0);
  rest[below(random, BLOCK)] = amax;
  return rest;
};

/** One value of that size, the others below it: of its exponent, subnormal, or zero. */
function withLargest(random: Random, largest: number): Uint32Array {
  const block = Uint32Array.from({ length: BLOCK }, () => {
    const kind = below(random, 4);
    return signed(random, kind === 0 ? 0 : kind === 1 ? random() >>> 9 : below(random, largest));
  });
  block[below(random, BLOCK)] = signed(random, largest);
  return block;
}

export const ACTIVATIONS: Readonly<Record<string, ActivationFill>> = {
  layer,
  /** Any finite value. */
  any: sizes(0, 255),
  ties,
  beside_ties: besideTies,
  scale_ties: scaleTies,
  /** Scales beyond f16: infinite, and zero. */
  huge: sizes(148, 255),
  tiny: sizes(90, 120),
  /** Around the scales from which on an f16 is infinite: 65,520, and what lies up to twice as high. */
  scale_ends: (random) => {
    const scale = below(random, 2) === 0 ? 65_520 : 65_536 + below(random, 65_536);
    return withLargest(random, bitsOf(127 * scale) + below(random, 5) - 2);
  },
  /** Around 127 / the largest f32, below which the factor is infinite. */
  factor_ends: (random) => withLargest(random, bitsOf(127 * 2 ** -128) + below(random, 9) - 4),
  /** Just above that, where a subnormal still is as much as 4 steps. */
  beside_subnormal: each((random, i) =>
    i === 0 ? signed(random, 0x03000000 + below(random, 0x800000)) : signed(random, random() >>> 9)
  ),
  subnormal: each((random) => signed(random, random() & 0x7fffff)),
  zeros: each((random) => signed(random, 0)),
  one_hot: (random) => {
    const block = new Uint32Array(BLOCK);
    block[below(random, BLOCK)] = layer(random)[0]!;
    return block;
  },
  equal: (random) => {
    const [word] = layer(random);
    return new Uint32Array(BLOCK).fill(word!);
  },
  nan: among(notANumber),
  all_nan: each(notANumber),
  /** Zeros among NaN: the largest is 0. */
  zeros_nan: each((random) => below(random, 2) === 0 ? signed(random, 0) : notANumber(random)),
  infinite: among(infinite),
  special: among((random) => (random() & 1 ? infinite : notANumber)(random)),
  /** Around half the smallest f16, and between that and all of it. */
  scale_least: (random) => {
    const amax = bitsOf(127 * 2 ** -25) +
      (below(random, 2) ? below(random, 5) - 2 : random() >>> 9);
    return withLargest(random, amax);
  },
  /** Zeros, and the smallest f32 there is. */
  smallest: each((random) => signed(random, below(random, 2))),
  /** The NaN next to infinity. */
  smallest_nan: among((random) => signed(random, INFINITY | 1)),
};
