/**
 * The family `argmax`: the place of the first of the largest logits, in each column.
 *
 * @module
 */
import { firstOfLargest } from "../../reference/argmax.ts";
import { type Address, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { LOGITS } from "./fills.ts";
import { argmaxAddresses, FAMILY } from "./list.ts";

/** Columns of logits. */
export interface ArgmaxInput {
  /** Logits in a column. */
  readonly n: number;
  /** Columns: words of the output. */
  readonly cols: number;
  /** f32 bits, column after column. */
  readonly logits: Uint32Array;
}

const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, vocabulary: drawn };

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", LOGITS);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. Its words are places, and places are integers. */
export const argmax: Family<ArgmaxInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "u32",
  generatorVersion: 1,
  addresses: argmaxAddresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const fill = choiceParameter(address, "fill", LOGITS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const logits = Uint32Array.from({ length: n * cols }, (_, i) => fill(random, i % n, n));
    return { n, cols, logits };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ cols }) => ({ rows: 1, cols }),
  // Values are compared as integers: no rule of an adapter's arithmetic matters.
  needs: () => [],
  inputBytes: ({ logits }) => [new Uint8Array(logits.buffer)],
  reference: ({ n, cols, logits }) =>
    Uint32Array.from(
      { length: cols },
      (_, col) => firstOfLargest(logits.subarray(col * n, (col + 1) * n)),
    ),
  expand: (stored) => stored,
};
