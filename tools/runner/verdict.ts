/**
 * A check, and what it came to. These are plain data: they cross process borders and are kept in
 * records.
 *
 * @module
 */
import type { OutputPart } from "../../cases/family.ts";

/** One kernel on one case at one workgroup size. */
export interface Check {
  /** Its name. */
  readonly kernel: string;
  /** Of the case. */
  readonly address: string;
  /** Invocations in a workgroup. */
  readonly workgroup: number;
}

/** One output word beside its golden. */
export interface ComparedWord {
  /** Its place in the column. */
  readonly row: number;
  /** Its column. */
  readonly col: number;
  /** f32 bits, or an integer. */
  readonly expected: number;
  /** As `expected`. */
  readonly actual: number;
}

/** Rows that a mismatch names. */
export const ROWS_NAMED = 32;

/** The strip of rows that a mismatch is about, where the golden holds digests of strips. */
export interface Strip {
  /** Its first row. */
  readonly first: number;
  /** Its rows. */
  readonly count: number;
  /** Strips of the output. */
  readonly strips: number;
  /** Strips that differ; the first of them is this one. */
  readonly differing: number;
}

/** Where differing words lie, and how they differ. */
export interface Differences {
  /** Rows of the output, or of the strip that is shown. */
  readonly rows: number;
  /** Columns of the output. */
  readonly cols: number;
  /**
   * A text a column, a digit a row: 0 where no word differs, 9 where all do, ninths between,
   * rounded up. A large output has several columns in a text and several rows in a digit: field i
   * of f begins at the first row r with ⌊r · f / rows⌋ = i.
   */
  readonly map: readonly string[];
  /**
   * Entry i counts the words 2^i to 2^(i+1) − 1 ulp off (integers: steps of one), those left unwritten
   * not among them.
   */
  readonly distances: readonly number[];
  /** Words that have no such distance: a NaN meets a number. */
  readonly unordered: number;
  /** Entry i counts the words whose bit i is wrong: 0 is the significand's last, 31 the sign. */
  readonly bits: readonly number[];
}

/** How an output differs from its golden. */
export interface Mismatch {
  /** Words of the output, or of the strip that is shown. */
  readonly words: number;
  /** The words are integers; where it is absent they are the bits of f32. */
  readonly integers?: boolean;
  /** Words with wrong bits, those left unwritten among them. */
  readonly differing: number;
  /** Words that still hold the poison that was there before the kernel ran. */
  readonly unwritten: number;
  /** Words written past the end of the output. */
  readonly overrun: number;
  /** Of that many repetitions of the same run, words that were not the same in all: a race. */
  readonly moving?: { readonly repeats: number; readonly words: number };
  /** Rows with a differing word in any column, the first {@linkcode ROWS_NAMED} of them. */
  readonly rows: readonly number[];
  /** The first differing word. */
  readonly first?: ComparedWord;
  /** The part of the output that it is in, of one that is made of parts. */
  readonly part?: OutputPart;
  /** The words in up to two rows before and two after the first differing one, in its column. */
  readonly neighbours: readonly ComparedWord[];
  /** Where the golden holds digests of strips: the one that all but `moving` is about. */
  readonly strip?: Strip;
  /** Largest distance in units in the last place, or of integers; absent where a NaN meets a number. */
  readonly largestUlp?: number;
  /** The largest share of its bound that any word uses; absent where one is no number. */
  readonly share?: number;
  /** Present where a word differs. */
  readonly differences?: Differences;
}

/** A place in a kernel's text. */
export interface TextPlace {
  /** From the top of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The line itself. */
  readonly source: string;
}

/** What a check came to. A mismatch is data, never an exception. */
export type Verdict =
  | {
    readonly kind: "pass";
    readonly words: number;
    /** The largest share of its bound that any word used, of a bounded family. */
    readonly share?: number;
  }
  | { readonly kind: "differ"; readonly mismatch: Mismatch }
  /** The check could not be brought to an end; `ran` says whether it was begun. */
  | {
    readonly kind: "error";
    readonly ran: boolean;
    readonly message: string;
    readonly place?: TextPlace;
  }
  /** The adapter does not offer what the check needs. */
  | { readonly kind: "unsupported"; readonly reason: string };

/** A check with its verdict. */
export interface Result {
  /** What was run. */
  readonly check: Check;
  /** What it came to. */
  readonly verdict: Verdict;
  /**
   * Its part of the time of the batch that it ran in, from the request to the verdicts: checks of a
   * batch run together, and the time is shared among those that ran by their weight products.
   * Absent where it did not run.
   */
  readonly seconds?: number;
}

/** Where a run's checks stand, by kind of verdict. */
export type Counts = Record<Verdict["kind"], number>;

/** The results that a run fails for. */
export function failuresOf(results: readonly Result[]): Result[] {
  return results.filter(({ verdict }) => verdict.kind === "differ" || verdict.kind === "error");
}

/** Counts results by kind of verdict. */
export function countVerdicts(results: Iterable<Result>): Counts {
  const counts: Counts = { pass: 0, differ: 0, error: 0, unsupported: 0 };
  for (const { verdict } of results) counts[verdict.kind]++;
  return counts;
}
