/**
 * The family `swiglu_exact`: silu(gate) · up, in one order of rounded operations.
 *
 * @module
 */
import { swigluExact as reference } from "../../reference/swiglu_exact.ts";
import { bitsOfF32, f32OfBits } from "../../reference/f32.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { BONSAI } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { FILLS } from "./fills.ts";

/** Columns of gates and of what they let through. */
export interface SwigluInput {
  /** Values in a column. */
  readonly n: number;
  readonly cols: number;
  /** f32 bits, column after column. */
  readonly gate: Uint32Array;
  /** f32 bits, column after column. */
  readonly up: Uint32Array;
}

const FAMILY = "swiglu_exact";
const drawn = { parameters: ["n", "cols", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

const address = (group: string, n: number, cols: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { n, cols, fill, seed });

function addresses(): string[] {
  return [
    ...[1, 63, 64, 65, 129, 500].map((n, i) => address("size", n, 1 + i % 3, "layer", 100 + i)),
    ...Object.keys(FILLS).map((fill, i) => address("edge", 1000, 2, fill, 200 + i)),
    address("layer", BONSAI["1.7B"]!.ffn_gate!.rows, 1, "layer", 300),
  ];
}

function shapeOf(address: Address): { n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", FILLS);
  return { n: wholeParameter(address, "n"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. */
export const swigluExact: Family<SwigluInput> = {
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
    const pairs = Array.from({ length: n * cols }, () => fill(random));
    return {
      n,
      cols,
      gate: Uint32Array.from(pairs, ([gate]) => gate),
      up: Uint32Array.from(pairs, ([, up]) => up),
    };
  },
  cost: (address) => {
    const { n, cols } = shapeOf(address);
    return n * cols;
  },
  grid: ({ n, cols }) => ({ rows: n, cols }),
  // Tame numbers alone: no rule of an adapter matters.
  needs: () => [],
  inputBytes: ({ gate, up }) => [gate, up].map((part) => new Uint8Array(part.buffer)),
  reference: ({ n, cols, gate, up }, rows) => {
    const { first, count } = rows ?? { first: 0, count: n };
    return Uint32Array.from({ length: count * cols }, (_, i) => {
      const at = Math.floor(i / count) * n + first + i % count;
      return bitsOfF32(reference(f32OfBits(gate[at]!), f32OfBits(up[at]!)));
    });
  },
  expand: (stored) => stored,
};
