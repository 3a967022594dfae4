/**
 * A token's keys and values, and the caches that they go into.
 *
 * @module
 */
import { HEAD } from "../bonsai.ts";
import { floats, mulberry32 } from "../random.ts";
import type { ValueFill } from "../rms_norm/fills.ts";
import { type RotaryTables, rotaryTables } from "../rotary.ts";

/** Where a token is written, and in what. */
export interface CacheShape {
  readonly layers: number;
  /** Positions that the caches hold. */
  readonly len: number;
  /** Heads of keys, and as many of values, of 128 values each. */
  readonly heads: number;
  /** From 0. */
  readonly layer: number;
  /** From 0. At `len` or behind it nothing is written. */
  readonly position: number;
}

/** All that one write is given. */
export interface RopeKvWriteInput extends CacheShape, RotaryTables {
  /** The token's keys, head after head. */
  readonly key: Float32Array;
  /** The token's values, likewise. */
  readonly value: Float32Array;
  /** The caches before: element ((layer · len + position) · heads + head) · 128 + dim. */
  readonly keys: Float32Array;
  /** As `keys`. */
  readonly values: Float32Array;
}

/** Words of one cache. */
export const cacheWords = ({ layers, len, heads }: CacheShape) => layers * len * heads * HEAD;

/** The first word that the token goes to in each cache, or `undefined` where it has no place. */
export function placeOf({ len, heads, layer, position }: CacheShape): number | undefined {
  return position < len ? (layer * len + position) * heads * HEAD : undefined;
}

/**
 * Draws them. What is in the caches before is from 1000 to 2000, all drawn: neither a place that was
 * to be written nor one that moved looks right by chance.
 */
export function drawInput(shape: CacheShape, fill: ValueFill, seed: number): RopeKvWriteInput {
  const random = mulberry32(seed);
  const token = () => floats(shape.heads * HEAD, (i) => fill(random, i % HEAD, HEAD));
  const before = () => floats(cacheWords(shape), () => 1000 + (random() >>> 8) * 1000 / 2 ** 24);
  return {
    ...shape,
    key: token(),
    value: token(),
    keys: before(),
    values: before(),
    // The next position's too, for kernels that look there by mistake.
    ...rotaryTables(shape.position + 2),
  };
}
