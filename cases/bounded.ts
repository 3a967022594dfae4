/**
 * The contract `bounded`: each element's exact value, and how far from it an output may be. As a
 * golden stores them they are three words an element: the value's f64 (low word, high word), and the
 * bound as an f32, rounded up.
 *
 * @module
 */
import type { BoundedValues } from "../reference/roundings.ts";

/** What each element of an output is held against. */
export type Bounds = BoundedValues;

/** Words that an element takes in a golden. */
export const BOUNDED_WORDS = 3;

/** The parts of an output, one after the other. */
export function joinBounds(parts: readonly Bounds[]): Bounds {
  const count = parts.reduce((sum, { values }) => sum + values.length, 0);
  const all = { values: new Float64Array(count), bounds: new Float64Array(count) };
  let at = 0;
  for (const { values, bounds } of parts) {
    all.values.set(values, at);
    all.bounds.set(bounds, at);
    at += values.length;
  }
  return all;
}

/**
 * As a golden stores them.
 *
 * @throws {RangeError} where a bound is negative or no finite f32, so that it could not fail
 */
export function storeBounded({ values, bounds }: Bounds): Uint32Array {
  const stored = new Uint32Array(values.length * BOUNDED_WORDS);
  const halves = new Uint32Array(Float64Array.from(values).buffer);
  const above = new Uint32Array(Float32Array.from(bounds, roundedUp).buffer);
  bounds.forEach((bound, at) => {
    // Also false for NaN.
    if (!(bound >= 0 && roundedUp(bound) < Infinity)) {
      throw new RangeError(
        `Cannot bound element ${at}: its bound is ${bound}. Choose an input whose errors are bounded.`,
      );
    }
    stored.set([halves[2 * at]!, halves[2 * at + 1]!, above[at]!], at * BOUNDED_WORDS);
  });
  return stored;
}

/** The inverse of {@linkcode storeBounded}, but for the bounds' rounding. */
export function readBounded(stored: Uint32Array): Bounds {
  const count = stored.length / BOUNDED_WORDS;
  const halves = new Uint32Array(2 * count);
  const above = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    halves[2 * at] = stored[at * BOUNDED_WORDS]!;
    halves[2 * at + 1] = stored[at * BOUNDED_WORDS + 1]!;
    above[at] = stored[at * BOUNDED_WORDS + 2]!;
  }
  return {
    values: new Float64Array(halves.buffer),
    bounds: Float64Array.from(new Float32Array(above.buffer)),
  };
}

/** The f32 bits nearest to the exact values: what a word is shown beside. */
export function nearestWords(stored: Uint32Array): Uint32Array {
  return nearestTo(readBounded(stored));
}

/** As {@linkcode nearestWords}, of values that were not stored. */
export function nearestTo({ values }: Bounds): Uint32Array {
  return new Uint32Array(Float32Array.from(values).buffer);
}

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);

/** The least f32 that is not below x, for x ≥ 0. */
function roundedUp(x: number): number {
  word[0] = x;
  if (word[0]! < x) wordBits[0]! += 1;
  return word[0]!;
}

/**
 * The share of its bound that an output word uses: above 1 it is wrong. Where the value is infinite
 * or NaN the word must be the same, and the share is 0 or infinite.
 *
 * @param bits f32 bits
 */
export function shareOfBound({ values, bounds }: Bounds, at: number, bits: number): number {
  wordBits[0] = bits;
  const [actual, value] = [word[0]!, values[at]!];
  if (actual === value || (actual !== actual && value !== value)) return 0;
  const error = Math.abs(actual - value);
  return Number.isFinite(error) && bounds[at]! > 0 ? error / bounds[at]! : Infinity;
}
