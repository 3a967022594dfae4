/**
 * The family `softmax_exact`: columns of scores to weights, in one order of rounded
 * operations.
 *
 * @module
 */
import { softmaxExact as reference } from "../../reference/softmax_exact.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { f32Words } from "../tame_words.ts";
import { FILLS } from "./fills.ts";

/** Columns of scores. */
export interface SoftmaxInput {
  /** Scores in a column. */
  readonly n: number;
  readonly cols: number;
  /** f32 bits, column after column. */
  readonly values: Uint32Array;
}

const FAMILY = "softmax_exact";
const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

/** Contexts: around the 64 chains, and long ones that are no multiple of them. */
const SIZES = [1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 255, 257, 1000, 4095, 4096];

function addresses(): string[] {
  return [
    ...SIZES.map((n, i) => address("size", n, n > 1000 ? 1 : 1 + i % 3, "score", 100 + i)),
    ...Object.keys(FILLS).flatMap((fill, i) => [
      address("edge", 40, 4, fill, 200 + i),
      address("edge", 300, 2, fill, 300 + i),
    ]),
    // A decode step of 1.7B: 16 heads.
    address("layer", 777, 16, "score", 400),
  ];
}

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", FILLS);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. */
export const softmaxExact: Family<SoftmaxInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const fill = choiceParameter(address, "fill", FILLS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    return {
      n,
      cols,
      values: Uint32Array.from({ length: n * cols }, (_, i) => fill(random, i % n, n)),
    };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: n, cols }),
  // Tame numbers alone: no rule of an adapter matters.
  needs: () => [],
  inputBytes: ({ values }) => [new Uint8Array(values.buffer)],
  reference: ({ n, cols, values }, rows) => {
    const { first, count } = rows ?? { first: 0, count: n };
    const words = new Uint32Array(count * cols);
    for (let col = 0; col < cols; col++) {
      const weights = reference(new Float32Array(values.buffer, 4 * col * n, n));
      words.set(f32Words(weights).subarray(first, first + count), col * count);
    }
    return words;
  },
  expand: (stored) => stored,
};
