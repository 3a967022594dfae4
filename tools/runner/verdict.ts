/**
 * A check, and what it came to. These are plain data: they cross process borders and are kept in
 * records.
 *
 * @module
 */

/** One kernel on one case at one workgroup size. */
export interface Check {
  readonly kernel: string;
  readonly address: string;
  readonly workgroup: number;
}

/** One output word beside its golden. */
export interface ComparedWord {
  readonly row: number;
  readonly col: number;
  /** f32 bits. */
  readonly expected: number;
  /** f32 bits. */
  readonly actual: number;
}

/** How an output differs from its golden. */
export interface Mismatch {
  /** Words of the output. */
  readonly words: number;
  /** Words with wrong bits, those left unwritten among them. */
  readonly differing: number;
  /** Words that still hold the poison that was there before the kernel ran. */
  readonly unwritten: number;
  /** Words written past the end of the output. */
  readonly overrun: number;
  /** Of that many repetitions of the same run, words that were not the same in all: a race. */
  readonly moving?: { readonly repeats: number; readonly words: number };
  /** The first differing word. */
  readonly first?: ComparedWord;
  /** The words in the rows before and after the first differing one. */
  readonly neighbours: readonly ComparedWord[];
  /** Largest distance in units in the last place; absent where a NaN meets a number. */
  readonly largestUlp?: number;
}

/** A place in a kernel's text. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line itself. */
  readonly source: string;
}

/** What a check came to. A mismatch is data, never an exception. */
export type Verdict =
  | { readonly kind: "pass"; readonly words: number }
  | { readonly kind: "differ"; readonly mismatch: Mismatch }
  /** The check could not be brought to an end. */
  | { readonly kind: "error"; readonly message: string; readonly place?: TextPlace }
  /** The adapter does not offer what the check needs. */
  | { readonly kind: "unsupported"; readonly reason: string };

export interface Result {
  readonly check: Check;
  readonly verdict: Verdict;
}

/** Where a run's checks stand, by kind of verdict. */
export type Counts = Record<Verdict["kind"], number>;

export function countVerdicts(results: Iterable<Result>): Counts {
  const counts: Counts = { pass: 0, differ: 0, error: 0, unsupported: 0 };
  for (const { verdict } of results) counts[verdict.kind]++;
  return counts;
}
