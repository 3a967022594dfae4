/**
 * The family `rms_norm`: each column divided by its root mean square, times a weight a row.
 *
 * @module
 */
import { rmsNorm as reference } from "../../reference/rms_norm.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { joinBounds, nearestWords, readBounded, storeBounded } from "../bounded.ts";
import { HIDDEN } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { VALUES, weightFill } from "./fills.ts";

/** Columns to normalize. */
export interface RmsNormInput {
  /** Values in a column. */
  readonly n: number;
  /** Columns. */
  readonly cols: number;
  /** Column after column. */
  readonly values: Float32Array;
  /** One for each row. */
  readonly weight: Float32Array;
  /** Added to the mean of the squares. */
  readonly epsilon: number;
}

/** Qwen3's own, as an f32. */
export const EPSILON = Math.fround(1e-6);

const FAMILY = "rms_norm";
const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

// A head, and around workgroups of 32 to 256 invocations with one and several values each.
const SIZES = [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 500, 1000];

function addresses(): string[] {
  return [
    ...SIZES.map((n, i) => address("size", n, 1 + i % 3, "hidden", 100 + i)),
    ...Object.keys(VALUES).flatMap((fill, i) => [
      address("edge", 128, 2, fill, 200 + i),
      address("edge", 300, 1, fill, 300 + i),
    ]),
    ...Object.values(HIDDEN).map((n, i) => address("layer", n, 1, "hidden", 400 + i)),
    address("layer", HIDDEN["1.7B"]!, 1, "embedding", 410),
  ];
}

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", VALUES);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. */
export const rmsNorm: Family<RmsNormInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const fill = choiceParameter(address, "fill", VALUES);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    return {
      n,
      cols,
      values: Float32Array.from({ length: n * cols }, (_, i) => fill(random, i % n, n)),
      weight: Float32Array.from({ length: n }, () => weightFill(random)),
      epsilon: EPSILON,
    };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: n, cols }),
  // What an adapter may do with subnormals and with contraction is in the bounds.
  needs: () => [],
  inputBytes: ({ values, weight, epsilon }) =>
    [values, weight, Float32Array.of(epsilon)].map((part) => new Uint8Array(part.buffer)),
  reference: ({ n, cols, values, weight, epsilon }) =>
    storeBounded(
      joinBounds(Array.from({ length: cols }, (_, col) =>
        reference(values.subarray(col * n, (col + 1) * n), weight, epsilon))),
    ),
  expand: nearestWords,
  bounds: readBounded,
};
