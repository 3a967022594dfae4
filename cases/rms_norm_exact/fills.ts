/**
 * Named ways to fill columns and weights, as f32 bits.
 *
 * @module
 */
import { below, type Random } from "../random.ts";
import { VALUES, weightFill } from "../rms_norm/fills.ts";
import { f32Word, highWord, lowWord, signedWord, wordOfExponent } from "../tame_words.ts";

/** How a case is drawn. */
export interface NormFill {
  /** The word at `index` of n. */
  value(random: Random, index: number, n: number): number;
  readonly weight: (random: Random) => number;
  /** Default: Qwen3's 1e-6. */
  readonly epsilon?: number;
}

const weight = (random: Random) => f32Word(weightFill(random));

/** Those of the bounded family. */
const PLAIN = Object.fromEntries(
  Object.entries(VALUES).map(([name, fill]): [string, NormFill] => [
    name,
    { value: (random, index, n) => f32Word(fill(random, index, n)), weight },
  ]),
);

const hidden = PLAIN.hidden!.value;

/** About one value in a column is another one. */
const oneOf = (other: (random: Random) => number): NormFill["value"] => (random, index, n) =>
  below(random, n) === 0 ? other(random) : hidden(random, index, n);

export const FILLS: Readonly<Record<string, NormFill>> = {
  ...PLAIN,
  /** Squares from 2^-126 to 2^-124, which count beside this ε: those below 2^-125 must be zero. */
  square_ends: {
    value: (random) => wordOfExponent(random, 64, 65),
    weight,
    epsilon: f32Word(2 ** -125),
  },
  /** Values that are nothing, and weights that make nothing of values. */
  low: { value: oneOf(lowWord), weight: (random) => wordOfExponent(random, 0, 8) },
  /** Columns with what is no number; squares from 2^127 on. */
  high: { value: oneOf(highWord), weight },
  /** Around sums of squares of 2^127: some columns are numbers and some not. */
  sum_ends: {
    value: (random, index) => index === 0 ? signedWord(random, 0x5f3504f0 + below(random, 8)) : 0,
    weight,
  },
  /** Weights of every size, no numbers among them. */
  any_weight: {
    value: hidden,
    weight: (random) =>
      [lowWord, highWord, (next: Random) => wordOfExponent(next, 0, 256)][below(random, 3)]!(
        random,
      ),
  },
};
