/**
 * The family `swiglu`: silu(gate) · up, element by element.
 *
 * @module
 */
import { swiglu as reference } from "../../reference/swiglu.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { nearestWords, readBounded, storeBounded } from "../bounded.ts";
import { INTERMEDIATE } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { PAIRS } from "./fills.ts";

/** Columns of gates, and of the values that they are for. */
export interface SwigluInput {
  /** Values in a column. */
  readonly n: number;
  /** Columns. */
  readonly cols: number;
  /** Column after column. */
  readonly gate: Float32Array;
  /** As `gate`. */
  readonly up: Float32Array;
  /** The first so many elements are drawn; the others repeat them. */
  readonly distinct: number;
}

/** A prime, so that no offset by whole workgroups meets the same element again. */
const MOST_DISTINCT = 1021;

const FAMILY = "swiglu";
const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

// Around a workgroup.
const SIZES = [1, 2, 63, 64, 65, 127, 129, 500];

function addresses(): string[] {
  return [
    ...SIZES.map((n, i) => address("size", n, 1 + i % 3, "layer", 100 + i)),
    ...Object.keys(PAIRS).map((fill, i) => address("edge", 200, 1, fill, 200 + i)),
    ...Object.values(INTERMEDIATE).map((n, i) => address("layer", n, 1, "layer", 300 + i)),
  ];
}

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", PAIRS);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** `length` elements, which repeat those that there are. */
function repeated<T extends Float32Array | Float64Array | Uint32Array>(all: T, distinct: T): T {
  for (let at = 0; at < all.length; at += distinct.length) {
    all.set(distinct.subarray(0, all.length - at), at);
  }
  return all;
}

/** See {@linkcode Family}. */
export const swiglu: Family<SwigluInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const fill = choiceParameter(address, "fill", PAIRS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const distinct = Math.min(n * cols, MOST_DISTINCT);
    const pairs = Array.from({ length: distinct }, () => fill(random));
    const all = (place: 0 | 1) =>
      repeated(new Float32Array(n * cols), Float32Array.from(pairs, (pair) => pair[place]));
    return { n, cols, gate: all(0), up: all(1), distinct };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: n, cols }),
  // What an adapter may do with subnormals is in the bounds.
  needs: () => [],
  inputBytes: ({ gate, up }) => [gate, up].map((part) => new Uint8Array(part.buffer)),
  reference: ({ gate, up, distinct }) =>
    storeBounded(reference(gate.subarray(0, distinct), up.subarray(0, distinct))),
  expand: (stored, { n, cols }) => repeated(new Uint32Array(n * cols), nearestWords(stored)),
  bounds: (stored, { n, cols }) => {
    const { values, bounds } = readBounded(stored);
    return {
      values: repeated(new Float64Array(n * cols), values),
      bounds: repeated(new Float64Array(n * cols), bounds),
    };
  },
};
