/**
 * Named ways to fill matrices of 1-bit weights with a scale for every 32, and their activations.
 *
 * @module
 */
import { Q1_PROJECTION_BLOCK } from "../../reference/q1_projection.ts";
import { below, type Random } from "../random.ts";

/** A matrix and its columns. */
export interface Projection {
  /** Weights in a row: a multiple of 32. */
  readonly n: number;
  /** Rows: words in a column of the output. */
  readonly rows: number;
  /** Columns of activations, and of the output. */
  readonly cols: number;
  /** Rows that are held; where they are fewer than `rows`, row r is row r modulo `distinctRows`. */
  readonly distinctRows: number;
  /** n/32 for each row that is held. */
  readonly scales: Float32Array;
  /** A word for each scale: bit j is the sign of weight j, 1 for +. */
  readonly signs: Uint32Array;
  /** n for each column. */
  readonly x: Float32Array;
}

/** Draws the scale or the word of signs of block `index` of a row. */
type BlockFill = (random: Random, index: number) => number;
/** Draws activation `index` of a column. */
type ActivationFill = (random: Random, index: number) => number;

const ALL = 0xffffffff;

export const SIGNS: Readonly<Record<string, BlockFill>> = {
  random: (random) => random(),
  plus: () => ALL,
  minus: () => 0,
  /** The first and the last weight of a word. */
  ends: () => 0x80000001,
};

/** 24 random bits with a sign, in [−1, 1). */
const uniform = (random: Random) => ((random() >>> 8) - 2 ** 23) * 2 ** -23;
/** As many bits, in [1, 2). */
const factor = (random: Random) => 1 + (random() >>> 9) * 2 ** -23;

export const SCALES: Readonly<Record<string, BlockFill>> = {
  /** What a layer of a model has. */
  layer: (random) => factor(random) * 2 ** -6,
  /** Neighbours are 2^40 apart. */
  neighbours: (random, index) => factor(random) * 2 ** (index % 2 === 0 ? 20 : -20),
  negative: (random) => -factor(random),
  tiny: (random) => factor(random) * 2 ** -110,
  /** Of which each may be taken for 0. */
  subnormal: (random) => uniform(random) * 2 ** -126,
  large: (random) => factor(random) * 2 ** 50,
  zeros: (random) => random() & 1 ? 0 : -0,
  /** Powers of two: with integers for activations no sum is rounded. */
  powers: (random) => (random() & 1 ? 1 : -1) * 2 ** below(random, 3),
  /** One for all: equal rows have equal sums. */
  ones: () => 1,
  /** One block in eight: of ten blocks, in three rows of four. */
  nan: (random) => below(random, 8) === 0 ? NaN : factor(random),
};

/** What enters a layer: mostly small, a few channels far larger. */
const hidden: ActivationFill = (random) => uniform(random) * (below(random, 200) === 0 ? 64 : 1);

export const ACTIVATIONS: Readonly<Record<string, ActivationFill>> = {
  hidden,
  tiny: (random) => uniform(random) * 2 ** -100,
  subnormal: (random) => uniform(random) * 2 ** -126,
  large: (random) => uniform(random) * 2 ** 60,
  /** From 2^-20 to 2^20. */
  spread: (random) => uniform(random) * 2 ** (below(random, 41) - 20),
  /** Pairs that all signs + make 0 of. */
  cancel: (random, index) => {
    const value = 1 + (random() >>> 24) * 2 ** -8;
    return index % 2 === 0 ? value : -value;
  },
  /** 2^24 and −2^24 around small ones: what is added to them is rounded. */
  swamped: (random, index) =>
    index % 8 === 0 ? 2 ** 24 : index % 8 === 7 ? -(2 ** 24) : uniform(random),
  integers: (random) => below(random, 31) - 15,
  zeros: (random) => random() & 1 ? 0 : -0,
  /** One value decides. */
  one_hot: (_random, index) => index === 29 ? 5.5 : 0,
};

/** How a case is filled: names of the tables above. */
export interface Fills {
  readonly signs: string;
  readonly scales: string;
  readonly x: string;
}

/** @param shape n a multiple of 32 */
export function drawProjection(
  shape: Pick<Projection, "n" | "rows" | "cols" | "distinctRows">,
  fills: Fills,
  random: Random,
): Projection {
  const { n, cols, distinctRows } = shape;
  const blocks = n / Q1_PROJECTION_BLOCK;
  const length = distinctRows * blocks;
  const scale = SCALES[fills.scales]!, sign = SIGNS[fills.signs]!, value = ACTIVATIONS[fills.x]!;
  return {
    ...shape,
    scales: Float32Array.from({ length }, (_, i) => scale(random, i % blocks)),
    signs: Uint32Array.from({ length }, (_, i) => sign(random, i % blocks)),
    x: Float32Array.from({ length: n * cols }, (_, i) => value(random, i % n)),
  };
}

/** The input's bytes, for its digest. */
export function projectionBytes({ scales, signs, x }: Projection): Uint8Array[] {
  return [scales, signs, x].map((part) => new Uint8Array(part.buffer));
}
