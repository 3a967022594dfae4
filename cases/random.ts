/**
 * The seeded generator that every case is drawn from.
 *
 * @module
 */

/** Draws the next whole number in 0..2^32−1. */
export type Random = () => number;

/**
 * mulberry32, the generator of the engine's own tests, so that its cases can be drawn here too.
 *
 * @param seed the first state, taken modulo 2^32
 */
export function mulberry32(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A whole number in 0..count−1 (by remainder: the bias is below 2^-20 for the counts used here). */
export function below(random: Random, count: number): number {
  return random() % count;
}

/** `length` numbers, as `Float32Array.from` makes them, which takes ten times as long. */
export function floats(length: number, at: (index: number) => number): Float32Array {
  const all = new Float32Array(length);
  for (let i = 0; i < length; i++) all[i] = at(i);
  return all;
}
