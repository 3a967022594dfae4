/**
 * The family `q1_0_matmul`: 1-bit weights times 8-bit activations, in ggml's order of summation.
 *
 * @module
 */
import { matmulQ1_0 } from "../../reference/q1_0.ts";
import { type Address, AddressError, formatAddress, wholeParameter } from "../address.ts";
import { BONSAI, type MatrixShape } from "../bonsai.ts";
import type { Family } from "../family.ts";
import { drawInput } from "./blocks.ts";
import { drawCancelling } from "./cancel.ts";
import { QUANTS, SCALES, SIGNS } from "./fills.ts";
import type { Q1Input } from "./input.ts";
import { FAMILY, q1Addresses } from "./list.ts";
import { drawTraps } from "./trap.ts";

/**
 * Rows of a model's matrix that differ; the others repeat them. A prime, so that no wrong offset by
 * a whole number of tiles, workgroups or powers of two meets the same row again.
 */
const LAYER_ROWS = 251;
/** A case with more weights than this runs only with `--full`: about 0.7 s on a software adapter. */
const LARGE_WEIGHTS = 320e6;

interface Group {
  /** The names of the group's parameters, in the one order that an address has. */
  readonly parameters: readonly string[];
  /** The n that the group can do is a multiple of this. */
  readonly step: number;
  shape(address: Address): MatrixShape;
  draw(address: Address, shape: MatrixShape, cols: number, seed: number): Q1Input;
}

function shapeInAddress(address: Address): MatrixShape {
  return { rows: wholeParameter(address, "rows"), n: wholeParameter(address, "n") };
}

function layerShape(address: Address): MatrixShape {
  const matrices = choice(address, "model", BONSAI);
  return choice(address, "matrix", matrices);
}

/** The entry of a table that a parameter names. */
function choice<T>(address: Address, name: string, table: Readonly<Record<string, T>>): T {
  const value = address.parameters.get(name) ?? "";
  if (!Object.hasOwn(table, value)) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": ${name}=${value} is not known. ` +
        `Use one of ${Object.keys(table).join(", ")}.`,
    );
  }
  return table[value]!;
}

const ENGINE = {
  weightScales: SCALES.engine!,
  signs: SIGNS.random!,
  activationScales: SCALES.engine!,
  quants: QUANTS.engine!,
};

const drawn: Group = {
  parameters: ["rows", "n", "cols", "seed"],
  step: 128,
  shape: shapeInAddress,
  draw: (_address, { rows, n }, cols, seed) => drawInput({ rows, n, cols, seed, ...ENGINE }),
};

const GROUPS: Readonly<Record<string, Group>> = {
  random: drawn,
  tile: drawn,
  edge: {
    parameters: ["rows", "n", "cols", "w", "signs", "a", "quants", "seed"],
    step: 128,
    shape: shapeInAddress,
    draw: (address, { rows, n }, cols, seed) =>
      drawInput({
        rows,
        n,
        cols,
        seed,
        weightScales: choice(address, "w", SCALES),
        signs: choice(address, "signs", SIGNS),
        activationScales: choice(address, "a", SCALES),
        quants: choice(address, "quants", QUANTS),
      }),
  },
  cancel: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 256,
    shape: shapeInAddress,
    draw: (_address, { rows, n }, cols, seed) => drawCancelling(n, rows, cols, seed),
  },
  trap: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 256,
    shape: shapeInAddress,
    draw: (_address, { rows, n }, cols, seed) => drawTraps(n, rows, cols, seed),
  },
  layer: {
    parameters: ["model", "matrix", "cols", "seed"],
    step: 128,
    shape: layerShape,
    draw: (_address, { rows, n }, cols, seed) =>
      drawInput({
        rows,
        n,
        cols,
        seed,
        distinctRows: Math.min(rows, LAYER_ROWS),
        weightScales: SCALES.layer_weights!,
        signs: SIGNS.random!,
        activationScales: SCALES.layer_activations!,
        quants: QUANTS.engine!,
      }),
  },
};

function groupOf(address: Address): Group {
  const group = Object.hasOwn(GROUPS, address.group) ? GROUPS[address.group]! : undefined;
  if (address.family !== FAMILY || !group) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": ${FAMILY} has the groups ` +
        `${Object.keys(GROUPS).join(", ")}.`,
    );
  }
  const given = [...address.parameters.keys()];
  if (given.join() !== group.parameters.join()) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": group ${address.group} has the parameters ` +
        `${group.parameters.join(", ")}, in this order; the address has ${given.join(", ")}.`,
    );
  }
  return group;
}

function shapeOf(address: Address): MatrixShape {
  const group = groupOf(address);
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
  generatorVersion: 1,
  addresses: q1Addresses,
  isLarge: (address) => {
    const { rows, n } = shapeOf(address);
    return rows * n > LARGE_WEIGHTS;
  },
  input: (address) => {
    const shape = shapeOf(address);
    const cols = wholeParameter(address, "cols");
    return groupOf(address).draw(address, shape, cols, wholeParameter(address, "seed", 0));
  },
  cost: (address) => {
    const { rows, n } = shapeOf(address);
    return rows * n * wholeParameter(address, "cols");
  },
  grid: ({ rows, cols }) => ({ rows, cols }),
  inputBytes: ({ weights, activations }) => [weights, activations],
  reference: ({ distinctRows, cols, n, weights, activations }) =>
    matmulQ1_0({ rows: distinctRows, cols, n, weights, activations }),
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
