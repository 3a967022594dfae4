/**
 * What a family of kernels is to the suite: a function with one right answer for each input, its
 * cases, and the reference that computes them. The runner and the goldens know families through
 * this interface alone, so that adding one touches neither.
 *
 * @module
 */
import type { Address } from "./address.ts";
import type { Bounds } from "./bounded.ts";

/** The output of a case is a grid of words: word `col · rows + row`. */
export interface Grid {
  /** Words in a column. */
  readonly rows: number;
  /** Columns, one after the other. */
  readonly cols: number;
}

/** Rows `first` to `first + count − 1`. */
export interface RowRange {
  /** From 0. */
  readonly first: number;
  /** At least 1. */
  readonly count: number;
}

/** A rule of an adapter's profile that a right result depends on. */
export interface RuleNeed {
  /** Its name in a profile. */
  readonly rule: string;
  /** The answer that is needed. */
  readonly answer: string;
  /** What in the input needs it. */
  readonly why: string;
}

/** What an output word is: the bits of an f32, or an integer, of which none is like another one. */
export type WordKind = "f32" | "u32";

/** A part of an output that has a name. */
export interface OutputPart {
  /** As `softmax 1`. */
  readonly name: string;
  /** The word's place in it, from 0. */
  readonly at: number;
  /** What its words are, which are compared as those of the whole output. */
  readonly words: WordKind;
}

/** One mathematical function, its cases and its reference. */
export interface Family<Input = unknown> {
  /** The first part of every address of the family. */
  readonly name: string;
  /**
   * How an output is held against its golden. `exact`: all 32 bits; of f32 words NaN equals NaN.
   * `bounded`: each f32 is as near to its exact value as {@linkcode bounds} says.
   */
  readonly contract: "exact" | "bounded";
  /** What its output words are. */
  readonly words: WordKind;
  /**
   * Grows whenever any case's input changes, so that a golden says which generator drew its input.
   */
  readonly generatorVersion: number;
  /** Every case's address, in the order in which cases are run and stored. */
  addresses(): readonly string[];
  /** Those of them that are timed where no other is named; none where its speed is of no interest. */
  timedAddresses(): readonly string[];
  /**
   * The type of a model's weights, by ggml's name, whose rows can be cases of the group `model`. Absent
   * where the family takes no model's weights.
   */
  readonly tensorType?: string;
  /** Is the case so large that it runs only when asked for (`--full`)? */
  isLarge(address: Address): boolean;
  /** Does the golden hold a digest of each strip of rows, because the bits would be too many? */
  hasStrips(address: Address): boolean;
  /** Is a part of the input stored with the golden, because no generator can draw it? */
  storesInput(address: Address): boolean;
  /**
   * The input that the address determines.
   *
   * @param stored the part that is stored with the golden, where the case has one
   * @throws {AddressError} when the address does not name a case of this family
   */
  input(address: Address, stored?: Uint8Array): Input;
  /** Work in a case, in weight products: orders, splits and budgets runs without making the input. */
  cost(address: Address): number;
  /** The shape of the output. */
  grid(input: Input): Grid;
  /** The part that a row is in; of an output that is made of parts. */
  partAt?(input: Input, row: number): OutputPart;
  /** The rules that this input needs an adapter to keep. */
  needs(input: Input): readonly RuleNeed[];
  /** The input's bytes, for its digest. */
  inputBytes(input: Input): readonly Uint8Array[];
  /**
   * The right words as a golden stores them: each once, where the input repeats itself.
   *
   * @param rows only these rows, in all columns; default: all
   */
  reference(input: Input, rows?: RowRange): Uint32Array;
  /** The right words of the whole grid, from the stored ones; of a bounded family the nearest f32. */
  expand(stored: Uint32Array, input: Input): Uint32Array;
  /**
   * What each word of the whole grid is held against, from the stored words: of a bounded family, and
   * of no other.
   */
  bounds?(stored: Uint32Array, input: Input): Bounds;
}

/**
 * What most families are: none is timed where nobody asks, no case is large, held as digests or
 * stored with its golden. A family that is not so says it after this.
 */
export const PLAIN = {
  timedAddresses: () => [],
  isLarge: () => false,
  hasStrips: () => false,
  storesInput: () => false,
} satisfies Partial<Family>;

/**
 * A case of more weight products than this runs only with `--full`, so that the others fit into
 * half a minute on a software adapter with two processors.
 */
export const LARGE_PRODUCTS = 12e6;
