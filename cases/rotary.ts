/**
 * The tables that rotary embeddings are computed with.
 *
 * @module
 */
import { rotaryTable } from "../reference/rotary.ts";
import { HEAD, ROTARY_BASE } from "./bonsai.ts";

/** Pairs of a head. */
export const HALF = HEAD / 2;

/** Cosines and sines: those of pair d at a position stand at position · HALF + d. */
export interface RotaryTables {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** The tables of positions 0 to `positions` − 1: an input like any other. */
export function rotaryTables(positions: number): RotaryTables {
  return rotaryTable(ROTARY_BASE, HALF, 0, positions);
}

/** The tables' part of one position. */
export function rotationAt({ cos, sin }: RotaryTables, position: number): RotaryTables {
  const [from, to] = [position * HALF, (position + 1) * HALF];
  return { cos: cos.subarray(from, to), sin: sin.subarray(from, to) };
}
