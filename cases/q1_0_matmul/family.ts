/**
 * The family `q1_0_matmul`: 1-bit weights times 8-bit activations, in ggml's order of summation.
 *
 * @module
 */
import { matmulQ1_0 } from "../../reference/q1_0.ts";
import { type Address, AddressError, formatAddress, groupOf, wholeParameter } from "../address.ts";
import type { MatrixShape } from "../bonsai.ts";
import { type Family, LARGE_PRODUCTS } from "../family.ts";
import { type Group, GROUPS } from "./groups.ts";
import type { Q1Input } from "./input.ts";
import { FAMILY, q1Addresses, q1TimedAddresses } from "./list.ts";
import { q1Needs } from "./needs.ts";

const q1Group = (address: Address): Group => groupOf(address, FAMILY, GROUPS);

function shapeOf(address: Address): MatrixShape {
  const group = q1Group(address);
  const shape = group.shape(address);
  if (shape.n % group.step !== 0) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": n is ${shape.n}, and must be a multiple of ` +
        `${group.step} in group ${address.group}.`,
    );
  }
  return shape;
}

/** See {@linkcode Family}. */
export const q1_0Matmul: Family<Q1Input> = {
  name: FAMILY,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  addresses: q1Addresses,
  timedAddresses: q1TimedAddresses,
  tensorType: "Q1_0",
  isLarge: (address) => {
    const { rows, n } = shapeOf(address);
    const products = rows * n * wholeParameter(address, "cols");
    return q1Group(address).isFull === true || products > LARGE_PRODUCTS;
  },
  hasStrips: (address) => q1Group(address).isFull === true,
  storesInput: (address) => q1Group(address).isStored === true,
  input: (address, stored) => {
    const shape = shapeOf(address);
    const cols = wholeParameter(address, "cols");
    return q1Group(address).draw(address, shape, cols, wholeParameter(address, "seed", 0), stored);
  },
  cost: (address) => {
    const { rows, n } = shapeOf(address);
    return rows * n * wholeParameter(address, "cols");
  },
  grid: ({ rows, cols }) => ({ rows, cols }),
  needs: q1Needs,
  inputBytes: ({ weights, activations }) => [weights, activations],
  reference: ({ distinctRows, cols, n, weights, activations }, rows) => {
    const { first, count } = rows ?? { first: 0, count: distinctRows };
    const rowBytes = weights.length / distinctRows;
    const part = weights.subarray(first * rowBytes, (first + count) * rowBytes);
    return matmulQ1_0({ rows: count, cols, n, weights: part, activations });
  },
  expand: (stored, { rows, cols, distinctRows }) => {
    if (distinctRows === rows) return stored;
    const words = new Uint32Array(rows * cols);
    for (let i = 0; i < words.length; i++) {
      const col = Math.floor(i / rows);
      words[i] = stored[col * distinctRows + (i % rows) % distinctRows]!;
    }
    return words;
  },
};
