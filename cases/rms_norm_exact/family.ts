/**
 * The family `rms_norm_exact`: each column divided by its root mean square, times a weight a row, in
 * one order of rounded operations.
 *
 * @module
 */
import { rmsNormExact as reference } from "../../reference/rms_norm_exact.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { HIDDEN } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { f32Word, f32Words } from "../tame_words.ts";
import { FILLS } from "./fills.ts";

/** Columns to normalize. */
export interface RmsNormExactInput {
  /** Values in a column. */
  readonly n: number;
  /** Columns. */
  readonly cols: number;
  /** f32 bits, column after column. */
  readonly values: Uint32Array;
  /** f32 bits, one for each row. */
  readonly weight: Uint32Array;
  /** f32 bits of what is added to the mean of the squares. */
  readonly epsilon: number;
}

/** Qwen3's own, as f32 bits. */
export const EPSILON = f32Word(1e-6);

const FAMILY = "rms_norm_exact";
const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

// Around the 64 chains, one value each and several; heads are 128.
const SIZES = [1, 2, 3, 31, 33, 63, 64, 65, 127, 128, 129, 257, 1000];

function addresses(): string[] {
  return [
    ...SIZES.map((n, i) => address("size", n, 1 + i % 3, "hidden", 100 + i)),
    ...Object.keys(FILLS).flatMap((fill, i) => [
      address("edge", 128, 4, fill, 200 + i),
      address("edge", 300, 1, fill, 300 + i),
    ]),
    ...Object.values(HIDDEN).map((n, i) => address("layer", n, 1, "hidden", 400 + i)),
    address("layer", HIDDEN["1.7B"]!, 1, "embedding", 410),
  ];
}

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", FILLS);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. */
export const rmsNormExact: Family<RmsNormExactInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const { value, weight, epsilon } = choiceParameter(address, "fill", FILLS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    return {
      n,
      cols,
      values: Uint32Array.from({ length: n * cols }, (_, i) => value(random, i % n, n)),
      weight: Uint32Array.from({ length: n }, () => weight(random)),
      epsilon: epsilon ?? EPSILON,
    };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: n, cols }),
  // Tame numbers alone: no rule of an adapter matters.
  needs: () => [],
  inputBytes: ({ values, weight, epsilon }) =>
    [values, weight, Uint32Array.of(epsilon)].map((part) => new Uint8Array(part.buffer)),
  reference: ({ n, cols, values, weight, epsilon }, rows) => {
    const { first, count } = rows ?? { first: 0, count: n };
    const words = new Uint32Array(count * cols);
    for (let col = 0; col < cols; col++) {
      const normed = reference(
        new Float32Array(values.buffer, 4 * col * n, n),
        new Float32Array(weight.buffer),
        new Float32Array(Uint32Array.of(epsilon).buffer)[0]!,
      );
      words.set(f32Words(normed).subarray(first, first + count), col * count);
    }
    return words;
  },
  expand: (stored) => stored,
};
