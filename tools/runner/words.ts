/**
 * Comparing output words.
 *
 * @module
 */
import type { WordKind } from "../../cases/family.ts";

/** Is the word, as an f32, a NaN, quiet or signalling? */
export function isNaNWord(word: number): boolean {
  return (word & 0x7fffffff) > 0x7f800000;
}

/**
 * The contract `exact`: all 32 bits are equal, or both are f32 and NaN. −0 and +0 differ. An integer
 * that looks like a NaN is equal to itself alone.
 */
export function sameWord(expected: number, actual: number, kind: WordKind): boolean {
  return expected === actual || (kind === "f32" && isNaNWord(expected) && isNaNWord(actual));
}

/** How far one word is from the other: see {@linkcode ulpDistance}; of integers, their difference. */
export function wordDistance(a: number, b: number, kind: WordKind): number | undefined {
  return kind === "f32" ? ulpDistance(a, b) : Math.abs(a - b);
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
