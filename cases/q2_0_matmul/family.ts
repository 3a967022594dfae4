/**
 * The family `q2_0_matmul`: 2-bit weights times 8-bit activations, in the order of ggml's generic
 * code, fused.
 *
 * @module
 */
import { matmulQ2_0 } from "../../reference/q2_0.ts";
import {
  type Address,
  AddressError,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { type Family, LARGE_PRODUCTS, PLAIN } from "../family.ts";
import { BONSAI, type MatrixShape } from "../bonsai.ts";
import { QUANTS, SCALES } from "../q1_0_matmul/fills.ts";
import { Q8_BLOCK } from "../q1_0_matmul/input.ts";
import { needsOfScales } from "../q1_0_matmul/needs.ts";
import { CODES, drawProduct, type Shape } from "./draw.ts";
import { Q2_BLOCK, type Q2Input } from "./input.ts";
import { FAMILY, q2Addresses, q2TimedAddresses } from "./list.ts";
import { drawRoundingToOdd } from "./odd.ts";
import { drawTraps } from "./trap.ts";

interface Group {
  readonly parameters: readonly string[];
  /** n is a multiple of this. */
  readonly step: number;
  /** Default: the address says it. */
  matrix?(address: Address): MatrixShape;
  draw(address: Address, shape: Shape): Q2Input;
}

const GROUPS: Readonly<Record<string, Group>> = {
  tile: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 64,
    draw: (_address, shape) =>
      drawProduct(shape, SCALES.engine!, CODES.random!, SCALES.engine!, QUANTS.engine!),
  },
  edge: {
    parameters: ["rows", "n", "cols", "w", "codes", "a", "quants", "seed"],
    step: 64,
    draw: (address, shape) =>
      drawProduct(
        shape,
        choiceParameter(address, "w", SCALES),
        choiceParameter(address, "codes", CODES),
        choiceParameter(address, "a", SCALES),
        choiceParameter(address, "quants", QUANTS),
      ),
  },
  trap: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 128,
    draw: (_address, shape) => drawTraps(shape),
  },
  odd: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 128,
    draw: (_address, shape) => drawRoundingToOdd(shape),
  },
  layer: {
    parameters: ["model", "matrix", "cols", "seed"],
    step: 64,
    matrix: (address) =>
      choiceParameter(address, "matrix", choiceParameter(address, "model", BONSAI)),
    draw: (_address, shape) =>
      drawProduct(
        shape,
        SCALES.layer_weights!,
        CODES.random!,
        SCALES.layer_activations!,
        QUANTS.engine!,
      ),
  },
};

function matrixInAddress(address: Address): MatrixShape {
  return { rows: wholeParameter(address, "rows"), n: wholeParameter(address, "n") };
}

function shapeOf(address: Address): Shape {
  const { step, matrix = matrixInAddress } = groupOf(address, FAMILY, GROUPS);
  const { rows, n } = matrix(address);
  if (n % step !== 0) {
    throw new AddressError(
      `Cannot make case "${
        formatAddress(address)
      }": n is ${n}, and must be a multiple of ${step} ` +
        `in group ${address.group}.`,
    );
  }
  return {
    n,
    rows,
    cols: wholeParameter(address, "cols"),
    seed: wholeParameter(address, "seed", 0),
  };
}

function productsOf(address: Address): number {
  const { n, rows, cols } = shapeOf(address);
  return n * rows * cols;
}

function isLarge(address: Address): boolean {
  return productsOf(address) > LARGE_PRODUCTS;
}

/** See {@linkcode Family}. */
export const q2_0Matmul: Family<Q2Input> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  addresses: q2Addresses,
  timedAddresses: q2TimedAddresses,
  isLarge,
  hasStrips: isLarge,
  input: (address) => groupOf(address, FAMILY, GROUPS).draw(address, shapeOf(address)),
  cost: productsOf,
  grid: ({ rows, cols }) => ({ rows, cols }),
  needs: ({ weights, activations }) => needsOfScales([weights, Q2_BLOCK], [activations, Q8_BLOCK]),
  inputBytes: ({ weights, activations }) => [weights, activations],
  reference: ({ n, rows, cols, weights, activations }, range) => {
    const { first, count } = range ?? { first: 0, count: rows };
    const rowBytes = weights.length / rows;
    const part = weights.subarray(first * rowBytes, (first + count) * rowBytes);
    return matmulQ2_0({ rows: count, cols, n, weights: part, activations });
  },
  expand: (stored) => stored,
};
