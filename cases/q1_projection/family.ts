/**
 * The family `q1_projection`: 1-bit weights with a scale for every 32, times columns of f32.
 *
 * @module
 */
import { Q1_PROJECTION_BLOCK, q1Projection as reference } from "../../reference/q1_projection.ts";
import type { BoundedValues } from "../../reference/roundings.ts";
import {
  type Address,
  AddressError,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { BONSAI } from "../bonsai.ts";
import { readBounded, storeBounded } from "../bounded.ts";
import { type Family, PLAIN, type RuleNeed } from "../family.ts";
import { mulberry32 } from "../random.ts";
import {
  ACTIVATIONS,
  drawProjection,
  type Fills,
  type Projection,
  projectionBytes,
  SCALES,
  SIGNS,
} from "./draw.ts";
import { FAMILY, projectionAddresses } from "./list.ts";

export type { Projection } from "./draw.ts";

const GROUPS = {
  tile: { parameters: ["rows", "n", "cols", "seed"] },
  edge: { parameters: ["rows", "n", "cols", "signs", "scales", "x", "seed"] },
  layer: { parameters: ["model", "matrix", "cols", "seed"] },
};

/** Of a model's matrix, repeated: a prime, so that no offset by whole tiles meets the same row. */
const LAYER_ROWS = 251;
/** More weight products run only with `--full`. */
const LARGE = 1e6;

type Shape = Pick<Projection, "n" | "rows" | "cols" | "distinctRows">;

function shapeOf(address: Address): Shape {
  groupOf(address, FAMILY, GROUPS);
  const cols = wholeParameter(address, "cols");
  if (address.group === "layer") {
    const { rows, n } = choiceParameter(
      address,
      "matrix",
      choiceParameter(address, "model", BONSAI),
    );
    return { rows, n, cols, distinctRows: LAYER_ROWS };
  }
  const rows = wholeParameter(address, "rows"), n = wholeParameter(address, "n");
  wholeBlocks(address, n);
  return { rows, n, cols, distinctRows: rows };
}

/** @throws {AddressError} where a row of n weights does not end with a block */
export function wholeBlocks(address: Address, n: number): void {
  if (n % Q1_PROJECTION_BLOCK === 0) return;
  throw new AddressError(
    `Cannot make case "${formatAddress(address)}": n is ${n}, and must be a multiple of ` +
      `${Q1_PROJECTION_BLOCK}.`,
  );
}

function fillsOf(address: Address): Fills {
  if (address.group !== "edge") return { signs: "random", scales: "layer", x: "hidden" };
  const named = (name: string, table: Readonly<Record<string, unknown>>) => {
    choiceParameter(address, name, table);
    return address.parameters.get(name)!;
  };
  return {
    signs: named("signs", SIGNS),
    scales: named("scales", SCALES),
    x: named("x", ACTIVATIONS),
  };
}

const NAN_NEEDS: readonly RuleNeed[] = [{
  rule: "nan_through_add",
  answer: "nan",
  why: "the input has a NaN, and its block is added to others",
}];

/** What the input needs: all that finite ones may meet is in their bounds. */
export function projectionNeeds({ scales, x }: Projection): readonly RuleNeed[] {
  return [scales, x].some((part) => part.some(Number.isNaN)) ? NAN_NEEDS : [];
}

/** The values and bounds of the rows that are held, column after column. */
export function projectionBounds(projection: Projection): BoundedValues {
  const { n, cols, distinctRows, x } = projection;
  const length = distinctRows * cols;
  const all = { values: new Float64Array(length), bounds: new Float64Array(length) };
  for (let col = 0; col < cols; col++) {
    const one = reference({ ...projection, x: x.subarray(col * n, (col + 1) * n) });
    all.values.set(one.values, col * distinctRows);
    all.bounds.set(one.bounds, col * distinctRows);
  }
  return all;
}

/** Of each element of the whole grid the one that is held for it. */
function repeated(held: Float64Array, { rows, cols, distinctRows }: Shape): Float64Array {
  if (distinctRows === rows) return held;
  return Float64Array.from(
    { length: rows * cols },
    (_, i) => held[Math.floor(i / rows) * distinctRows + (i % rows) % distinctRows]!,
  );
}

function boundsOf(stored: Uint32Array, shape: Shape): BoundedValues {
  const { values, bounds } = readBounded(stored);
  return { values: repeated(values, shape), bounds: repeated(bounds, shape) };
}

/** See {@linkcode Family}. */
export const q1Projection: Family<Projection> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses: projectionAddresses,
  isLarge: (address) => q1Projection.cost(address) > LARGE,
  input: (address) =>
    drawProjection(
      shapeOf(address),
      fillsOf(address),
      mulberry32(wholeParameter(address, "seed", 0)),
    ),
  cost: (address) => {
    const { rows, n, cols } = shapeOf(address);
    fillsOf(address);
    return rows * n * cols;
  },
  grid: ({ rows, cols }) => ({ rows, cols }),
  needs: projectionNeeds,
  inputBytes: projectionBytes,
  reference: (input) => storeBounded(projectionBounds(input)),
  expand: (stored, input) =>
    new Uint32Array(Float32Array.from(boundsOf(stored, input).values).buffer),
  bounds: boundsOf,
};
