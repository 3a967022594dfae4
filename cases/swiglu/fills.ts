/**
 * Named ways to fill the gates and the values that SwiGLU is given. No product overflows.
 *
 * @module
 */
import { below, type Random } from "../random.ts";

/** Draws a gate and the value that it is for. */
export type PairFill = (random: Random) => readonly [gate: number, up: number];

/** 24 random bits with a sign, in [−1, 1). */
const uniform = (random: Random) => ((random() >>> 8) - 2 ** 23) * 2 ** -23;
/** As {@linkcode uniform}, in [0, 1]. */
const part = (random: Random) => Math.abs(uniform(random));
const powerOfTwo = (random: Random, least: number, count: number) =>
  2 ** (least + below(random, count));

/** Gates of some range, e^-|g| from 1 to below what f32 holds, and values that make up for it. */
const gates = (least: number, most: number, up: number): PairFill => (random) => [
  least + (most - least) * part(random),
  up * uniform(random),
];

export const PAIRS: Readonly<Record<string, PairFill>> = {
  /** What a layer's projections look like. */
  layer: (random) => [uniform(random) * 6, uniform(random) * 4],
  zero: (random) => [random() & 1 ? 0 : -0, uniform(random)],
  zero_up: (random) => [uniform(random) * 6, random() & 1 ? 0 : -0],
  /** σ is 1/2 to the last place; products may be subnormal. */
  tiny: (random) => [uniform(random) * 2 ** -66, uniform(random) * 2 ** -60],
  subnormal: (random) => [uniform(random) * 2 ** -127, uniform(random)],
  subnormal_up: (random) => [uniform(random), uniform(random) * 2 ** -127],
  /** e^-g is finite in f32, and the whole result depends on it. */
  negative: gates(-80, -6, 2 ** 30),
  /** e^g is where f32's normal numbers end. */
  fading: gates(-89, -85, 2 ** 60),
  /** e^-g overflows f32: a result of −0 is right. */
  overflow: gates(-3000, -89, 4),
  /** e^g overflows f32: the result is g · up. */
  open: gates(80, 3000, 4),
  largest: (random) => [
    (random() & 1 ? -3 : 3) * 2 ** 126 * part(random),
    random() & 1 ? 1 : -1,
  ],
  spread: (random) => [
    uniform(random) * powerOfTwo(random, -20, 30),
    uniform(random) * powerOfTwo(random, -20, 41),
  ],
};
