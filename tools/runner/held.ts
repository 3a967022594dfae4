/**
 * Holding output words against their golden, by the contract of their family.
 *
 * @module
 */
import { type Bounds, shareOfBound } from "../../cases/bounded.ts";
import type { WordKind } from "../../cases/family.ts";
import { sameWord } from "./words.ts";

/** What an output is held against. */
export interface Held {
  /** The right words, or, where there are bounds, the f32 nearest to the right values. */
  readonly expected: Uint32Array;
  readonly kind: WordKind;
  /** Of the contract `bounded`. */
  readonly bounds?: Bounds;
}

/** Is `word` right at this place of the output? */
export function isRight({ expected, kind, bounds }: Held, at: number, word: number): boolean {
  return bounds ? shareOfBound(bounds, at, word) <= 1 : sameWord(expected[at]!, word, kind);
}

/** The largest share of its bound that any word uses. */
export function largestShare(bounds: Bounds, repeats: readonly Uint32Array[]): number {
  let largest = 0;
  for (const words of repeats) {
    for (let at = 0; at < words.length; at++) {
      largest = Math.max(largest, shareOfBound(bounds, at, words[at]!));
    }
  }
  return largest;
}
