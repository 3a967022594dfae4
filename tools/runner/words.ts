/**
 * Comparing f32 words as encodings.
 *
 * @module
 */

/** Is the word a NaN, quiet or signalling? */
export function isNaNWord(word: number): boolean {
  return (word & 0x7fffffff) > 0x7f800000;
}

/** The contract `exact`: all 32 bits are equal, or both are NaN. −0 and +0 differ. */
export function sameWord(expected: number, actual: number): boolean {
  return expected === actual || (isNaNWord(expected) && isNaNWord(actual));
}

/**
 * Steps from one f32 to the other through all f32 between them (−0 and +0 are one step apart), or
 * `undefined` where one is a NaN.
 */
export function ulpDistance(a: number, b: number): number | undefined {
  if (isNaNWord(a) || isNaNWord(b)) return undefined;
  return Math.abs(rank(a) - rank(b));
}

/** The place of a word among all f32 in ascending order: −0 is −1 and +0 is 0. */
function rank(word: number): number {
  return word & 0x80000000 ? -(word & 0x7fffffff) - 1 : word;
}
