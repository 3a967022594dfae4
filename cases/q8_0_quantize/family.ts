/**
 * The family `q8_0_quantize`: columns of f32 activations to q8_0 blocks, as ggml's AVX2 path does.
 *
 * @module
 */
import { Q8_0_BLOCK } from "../../reference/blocks.ts";
import { quantizeQ8_0 } from "../../reference/quantize_q8_0.ts";
import {
  type Address,
  AddressError,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { ACTIVATIONS } from "./fills.ts";
import { FAMILY, quantizeAddresses } from "./list.ts";

/** Columns of activations. */
export interface QuantizeInput {
  /** Activations in a column, a multiple of 32. */
  readonly n: number;
  readonly cols: number;
  /** f32 bits, column after column. */
  readonly values: Uint32Array;
}

/** Words of a column's blocks: with an odd number of blocks, the last one is half filled. */
export function columnWords(n: number): number {
  return Math.ceil(n / Q8_0_BLOCK.elements * Q8_0_BLOCK.bytes / 4);
}

const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", ACTIVATIONS);
  const n = wholeParameter(address, "n");
  if (n % Q8_0_BLOCK.elements !== 0) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": n is ${n}, and must be a multiple of ` +
        `${Q8_0_BLOCK.elements}.`,
    );
  }
  return { n, cols: wholeParameter(address, "cols") };
}

/**
 * See {@linkcode Family}. A word is four bytes of a column's blocks, little-endian; each column begins
 * with a word of its own, and what its last word has too many are zeros.
 */
export const q8_0Quantize: Family<QuantizeInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "u32",
  generatorVersion: 1,
  addresses: quantizeAddresses,
  input: (address) => {
    const { n, cols } = shapeOf(address);
    const fill = choiceParameter(address, "fill", ACTIVATIONS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const values = new Uint32Array(n * cols);
    for (let at = 0; at < values.length; at += Q8_0_BLOCK.elements) values.set(fill(random), at);
    return { n, cols, values };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: columnWords(n), cols }),
  // Integers, and products of numbers from 1 to 2: no rule of an adapter's arithmetic matters.
  needs: () => [],
  inputBytes: ({ values }) => [new Uint8Array(values.buffer)],
  reference: ({ n, cols, values }, rows) => {
    const all = columnWords(n);
    const { first, count } = rows ?? { first: 0, count: all };
    const words = new Uint32Array(count * cols);
    for (let col = 0; col < cols; col++) {
      const bytes = new Uint8Array(4 * all);
      bytes.set(quantizeQ8_0(new Float32Array(values.buffer, 4 * col * n, n)));
      words.set(new Uint32Array(bytes.buffer).subarray(first, first + count), col * count);
    }
    return words;
  },
  expand: (stored) => stored,
};
