/**
 * The family `lm_head`: the token of the first of the largest logits, which are a projection of 1-bit
 * weights. Logits have bounds, tokens do not: an input whose two best are too near is no case.
 *
 * @module
 */
import { lmHead as reference } from "../../reference/lm_head.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { VOCABULARY } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { drawProjection, type Projection, projectionBytes } from "../q1_projection/draw.ts";
import { projectionNeeds, wholeBlocks } from "../q1_projection/family.ts";
import { mulberry32 } from "../random.ts";
import { crown, HEADS } from "./heads.ts";

const FAMILY = "lm_head";
const drawn = { parameters: ["rows", "n", "cols", "head", "seed"] };
const GROUPS = { size: drawn, edge: drawn, vocabulary: drawn };
/** More weight products run only with `--full`. */
const LARGE = 1e6;

// Around the four rows of a workgroup, and parts around a workgroup of 8 to 64 that joins them.
const ROWS = [1, 2, 3, 4, 5, 7, 31, 33, 36, 127, 129, 255, 257, 300, 1023, 2049];

function addresses(): string[] {
  const address = (
    group: string,
    rows: number,
    n: number,
    cols: number,
    head: string,
    seed: number,
  ) => addressOf(FAMILY, group, { rows, n, cols, head, seed });
  return [
    ...ROWS.map((rows, i) =>
      address("size", rows, 32 * (1 + i % 4), 1 + i % 3, "ordinary", 100 + i)
    ),
    ...Object.keys(HEADS).flatMap((head, i) => [
      address("edge", 6, 64, 1, head, 200 + i),
      address("edge", 333, 96, 1, head, 300 + i),
    ]),
    // All rows NaN.
    address("edge", 9, 2048, 2, "nan", 400),
    address("size", 9, 2080, 2, "ordinary", 401),
    // A thousand parts, and the models' own head.
    address("vocabulary", 4096, 32, 1, "ties", 500),
    ...["ordinary", "last", "ties"].map((head, i) =>
      address("vocabulary", VOCABULARY, 2048, 1, head, 600 + i)
    ),
  ];
}

function shapeOf(address: Address): { rows: number; n: number; cols: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "head", HEADS);
  const n = wholeParameter(address, "n");
  wholeBlocks(address, n);
  return { rows: wholeParameter(address, "rows"), n, cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. Its words are places, and places are integers. */
export const lmHead: Family<Projection> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "u32",
  generatorVersion: 1,
  addresses,
  isLarge: (address) => lmHead.cost(address) > LARGE,
  input: (address) => {
    const shape = shapeOf(address);
    const { fills, distinctRows, crowned } = choiceParameter(address, "head", HEADS);
    const projection = drawProjection(
      { ...shape, distinctRows: Math.min(shape.rows, distinctRows ?? shape.rows) },
      fills,
      mulberry32(wholeParameter(address, "seed", 0)),
    );
    crown(projection, crowned?.(shape.rows) ?? []);
    return projection;
  },
  cost: (address) => {
    const { rows, n, cols } = shapeOf(address);
    return rows * n * cols;
  },
  grid: ({ cols }) => ({ rows: 1, cols }),
  needs: projectionNeeds,
  inputBytes: projectionBytes,
  // Rows that repeat come after the ones that they repeat, and a first one is sought.
  reference: (input) =>
    Uint32Array.from(
      { length: input.cols },
      (_, col) => reference({ ...input, x: input.x.subarray(col * input.n, (col + 1) * input.n) }),
    ),
  expand: (stored) => stored,
};
