/**
 * What stands in an output before a kernel runs, so that a word which was not written, and one
 * written past the end, can be told from a wrong one.
 *
 * @module
 */
import { isNaNWord } from "./words.ts";

/** A NaN that no arithmetic makes, and a finite number. */
const NAN_POISON = 0xffa5c3d2;
const FINITE_POISON = 0x5a1dc0de;

/** Words after an output that must come back untouched: more than one workgroup's rows. */
export const GUARD_WORDS = 256;

/**
 * The poison for a word whose golden is known. It never compares equal to the golden, so no
 * unwritten word can pass: not where NaN is equal to NaN, and not among integers either, since one
 * of the two looks like a NaN and the other does not.
 */
export function poisonFor(expected: number): number {
  return isNaNWord(expected) ? FINITE_POISON : NAN_POISON;
}

/** Fills a slot (an output and its guard) before a run. */
export function poison(slot: Uint32Array, expected: Uint32Array): void {
  for (let i = 0; i < expected.length; i++) slot[i] = poisonFor(expected[i]!);
  slot.fill(NAN_POISON, expected.length);
}

/** Guard words of a slot that were written. */
export function overrunWords(slot: Uint32Array, words: number): number {
  let overrun = 0;
  for (let i = words; i < slot.length; i++) if (slot[i] !== NAN_POISON) overrun++;
  return overrun;
}
