/**
 * The tables that rotary embeddings are computed with.
 *
 * @module
 */
import { HEAD } from "./bonsai.ts";
import { floats } from "./random.ts";

/** Pairs of a head. */
export const HALF = HEAD / 2;
/** Qwen3's own. */
const BASE = 1_000_000;

/** Cosines and sines: those of pair d at a position stand at position · HALF + d. */
export interface RotaryTables {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/**
 * The tables of positions 0 to `positions` − 1. They are an input like any other: what engines' own
 * functions differ by in the last place of f64 is gone once it is rounded to f32.
 */
export function rotaryTables(positions: number): RotaryTables {
  const steps = Array.from({ length: HALF }, (_, d) => BASE ** (-d / HALF));
  const table = (of: (angle: number) => number) =>
    floats(positions * HALF, (i) => of(Math.floor(i / HALF) * steps[i % HALF]!));
  return { cos: table(Math.cos), sin: table(Math.sin) };
}

/** The tables' part of one position. */
export function rotationAt({ cos, sin }: RotaryTables, position: number): RotaryTables {
  const [from, to] = [position * HALF, (position + 1) * HALF];
  return { cos: cos.subarray(from, to), sin: sin.subarray(from, to) };
}
