/**
 * Holding an output against its golden.
 *
 * @module
 */
import type { Bounds } from "../../cases/bounded.ts";
import type { Grid, WordKind } from "../../cases/family.ts";
import { differencesOf } from "./differences.ts";
import { type Held, isRight, largestShare } from "./held.ts";
import { poisonFor } from "./poison.ts";
import { type ComparedWord, type Mismatch, ROWS_NAMED } from "./verdict.ts";
import { sameWord, wordDistance } from "./words.ts";

/** What came back from the GPU for one check. */
export interface Output {
  /** One grid of words for each repetition. */
  readonly repeats: readonly Uint32Array[];
  /** Guard words written, in all repetitions together. */
  readonly overrun: number;
}

/**
 * How the output differs from its golden, or `undefined` where it does not.
 *
 * @param bounds of a bounded family
 */
export function compareOutput(
  expected: Uint32Array,
  output: Output,
  grid: Grid,
  kind: WordKind,
  bounds?: Bounds,
): Mismatch | undefined {
  const held: Held = { expected, kind, ...(bounds && { bounds }) };
  const moving = movingWords(output.repeats, kind);
  // The first repetition that differs is shown: the others may have been lucky.
  const shown = output.repeats.find((words) => firstDifference(held, words) >= 0) ??
    output.repeats[0]!;
  const firstAt = firstDifference(held, shown);
  if (firstAt < 0 && output.overrun === 0 && moving === 0) return undefined;
  return {
    ...countDifferences(held, shown),
    ...shareIn(held, shown),
    ...(kind === "u32" && { integers: true }),
    overrun: output.overrun,
    ...(moving > 0 && { moving: { repeats: output.repeats.length, words: moving } }),
    rows: firstAt >= 0 ? differingRows(held, shown, grid) : [],
    ...(firstAt >= 0 && { first: wordAt(expected, shown, firstAt, grid) }),
    neighbours: firstAt >= 0 ? neighbours(expected, shown, firstAt, grid) : [],
    ...(firstAt >= 0 && { differences: differencesOf(held, shown, grid) }),
  };
}

function firstDifference(held: Held, actual: Uint32Array): number {
  for (let i = 0; i < held.expected.length; i++) {
    if (!isRight(held, i, actual[i]!)) return i;
  }
  return -1;
}

/** The largest share of a bound, where it can be said: a word that is no number has none. */
function shareIn({ bounds }: Held, shown: Uint32Array): Pick<Mismatch, "share"> {
  const share = bounds ? largestShare(bounds, [shown]) : Infinity;
  return Number.isFinite(share) ? { share } : {};
}

/** How many words of `actual` are not those of `expected`, and how far off the worst is. */
export function countDifferences(
  held: Held,
  actual: Uint32Array,
): Pick<Mismatch, "words" | "differing" | "unwritten" | "largestUlp"> {
  const { expected, kind } = held;
  let differing = 0;
  let unwritten = 0;
  let largestUlp: number | undefined = 0;
  for (let i = 0; i < expected.length; i++) {
    if (isRight(held, i, actual[i]!)) continue;
    differing++;
    if (actual[i] === poisonFor(expected[i]!)) {
      unwritten++;
      continue;
    }
    const distance = wordDistance(expected[i]!, actual[i]!, kind);
    largestUlp = distance === undefined || largestUlp === undefined
      ? undefined
      : Math.max(largestUlp, distance);
  }
  return {
    words: expected.length,
    differing,
    unwritten,
    ...(largestUlp !== undefined && differing > unwritten && { largestUlp }),
  };
}

function differingRows(held: Held, actual: Uint32Array, { rows }: Grid): number[] {
  const differing = new Set<number>();
  for (let i = 0; i < held.expected.length; i++) {
    if (!isRight(held, i, actual[i]!)) differing.add(i % rows);
  }
  return [...differing].sort((a, b) => a - b).slice(0, ROWS_NAMED);
}

/** Words that were not the same in all repetitions. */
export function movingWords(repeats: readonly Uint32Array[], kind: WordKind): number {
  const [first, ...others] = repeats as [Uint32Array, ...Uint32Array[]];
  let moving = 0;
  for (let i = 0; i < first.length; i++) {
    if (others.some((words) => !sameWord(first[i]!, words[i]!, kind))) moving++;
  }
  return moving;
}

function wordAt(
  expected: Uint32Array,
  actual: Uint32Array,
  index: number,
  { rows }: Grid,
): ComparedWord {
  return {
    row: index % rows,
    col: Math.floor(index / rows),
    expected: expected[index]!,
    actual: actual[index]!,
  };
}

/** Up to two rows on each side, in the same column. */
function neighbours(
  expected: Uint32Array,
  actual: Uint32Array,
  index: number,
  grid: Grid,
): ComparedWord[] {
  const row = index % grid.rows;
  return [-2, -1, 1, 2]
    .filter((step) => row + step >= 0 && row + step < grid.rows)
    .map((step) => wordAt(expected, actual, index + step, grid));
}
