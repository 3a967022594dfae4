/**
 * The groups of `q1_0_matmul`: how the cases of each are named and drawn.
 *
 * @module
 */
import { type Address, choiceParameter, wholeParameter } from "../address.ts";
import { BONSAI, type MatrixShape } from "../bonsai.ts";
import { drawInput } from "./blocks.ts";
import { drawCancelling } from "./cancel.ts";
import { QUANTS, SCALES, SIGNS } from "./fills.ts";
import { drawInfinite } from "./infinite.ts";
import type { Q1Input } from "./input.ts";
import { drawModelRows, modelShape } from "./model.ts";
import { drawRoundingToOdd } from "./odd.ts";
import { drawTraps } from "./trap.ts";

/**
 * Rows of a model's matrix that differ; the others repeat them. A prime, so that no wrong offset by
 * a whole number of tiles, workgroups or powers of two meets the same row again.
 */
const LAYER_ROWS = 251;

/** How the cases of a group are named and drawn. */
export interface Group {
  /** The names of the group's parameters, in the one order that an address has. */
  readonly parameters: readonly string[];
  /** The n that the group can do is a multiple of this. */
  readonly step: number;
  /** Every row of a model's matrix is another one; the golden holds strips. */
  readonly isFull?: true;
  /** The weights are a model's own, and stored with the golden. */
  readonly isStored?: true;
  shape(address: Address): MatrixShape;
  draw(
    address: Address,
    shape: MatrixShape,
    cols: number,
    seed: number,
    stored?: Uint8Array,
  ): Q1Input;
}

function shapeInAddress(address: Address): MatrixShape {
  return { rows: wholeParameter(address, "rows"), n: wholeParameter(address, "n") };
}

function layerShape(address: Address): MatrixShape {
  const matrices = choiceParameter(address, "model", BONSAI);
  return choiceParameter(address, "matrix", matrices);
}

const ENGINE = {
  weightScales: SCALES.engine!,
  signs: SIGNS.random!,
  activationScales: SCALES.engine!,
  quants: QUANTS.engine!,
};

const LAYER = {
  weightScales: SCALES.layer_weights!,
  signs: SIGNS.random!,
  activationScales: SCALES.layer_activations!,
  quants: QUANTS.engine!,
};

const drawn: Group = {
  parameters: ["rows", "n", "cols", "seed"],
  step: 128,
  shape: shapeInAddress,
  draw: (_address, { rows, n }, cols, seed) => drawInput({ rows, n, cols, seed, ...ENGINE }),
};

/** Every group of the family. */
export const GROUPS: Readonly<Record<string, Group>> = {
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
        weightScales: choiceParameter(address, "w", SCALES),
        signs: choiceParameter(address, "signs", SIGNS),
        activationScales: choiceParameter(address, "a", SCALES),
        quants: choiceParameter(address, "quants", QUANTS),
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
  odd: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 256,
    shape: shapeInAddress,
    draw: (_address, { rows, n }, cols, seed) => drawRoundingToOdd(n, rows, cols, seed),
  },
  infinite: {
    parameters: ["rows", "n", "cols", "seed"],
    step: 128,
    shape: shapeInAddress,
    draw: (_address, { rows, n }, cols, seed) => drawInfinite(n, rows, cols, seed),
  },
  layer: {
    parameters: ["model", "matrix", "cols", "seed"],
    step: 128,
    shape: layerShape,
    draw: (_address, { rows, n }, cols, seed) =>
      drawInput({ rows, n, cols, seed, distinctRows: Math.min(rows, LAYER_ROWS), ...LAYER }),
  },
  full: {
    parameters: ["model", "matrix", "cols", "seed"],
    step: 128,
    isFull: true,
    shape: layerShape,
    draw: (_address, { rows, n }, cols, seed) => drawInput({ rows, n, cols, seed, ...LAYER }),
  },
  model: {
    parameters: ["file", "tensor", "first", "rows", "n", "cols", "seed"],
    step: 128,
    isStored: true,
    shape: modelShape,
    draw: drawModelRows,
  },
};
