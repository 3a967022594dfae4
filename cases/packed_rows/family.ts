/**
 * The families `dequantize` (all rows of a table of packed blocks, as f32) and `embedding` (the rows
 * of some tokens).
 *
 * @module
 */
import { rowBytes } from "../../reference/blocks.ts";
import {
  type Address,
  AddressError,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { SCALES } from "../q1_0_matmul/fills.ts";
import { below, mulberry32 } from "../random.ts";
import { BYTES, drawTable, FORMATS, type RowsInput } from "./input.ts";
import { dequantizeAddresses, embeddingAddresses } from "./list.ts";

/** A column of the output is a row that is wanted; any column is computed from its row alone. */
const COMMON: Pick<
  Family<RowsInput>,
  | "contract"
  | "words"
  | "generatorVersion"
  | "timedAddresses"
  | "isLarge"
  | "hasStrips"
  | "storesInput"
  | "grid"
  | "needs"
  | "inputBytes"
  | "reference"
  | "expand"
> = {
  ...PLAIN,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  grid: ({ n, wanted }) => ({ rows: n, cols: wanted.length }),
  // Integers but for a conversion of a small integer: no rule of an adapter's arithmetic matters.
  needs: () => [],
  inputBytes: ({ packed, wanted }) => [packed, new Uint8Array(wanted.buffer)],
  reference: ({ format, n, packed, wanted }, rows) => {
    const { layout, dequantize } = FORMATS[format]!;
    const bytes = rowBytes(layout, n);
    const { first, count } = rows ?? { first: 0, count: n };
    const words = new Uint32Array(count * wanted.length);
    wanted.forEach((row, col) => {
      const values = dequantize(packed.subarray(row * bytes, (row + 1) * bytes));
      words.set(values.subarray(first, first + count), col * count);
    });
    return words;
  },
  expand: (stored) => stored,
};

function shapeOf(address: Address, family: string, group: { parameters: readonly string[] }) {
  groupOf(address, family, { size: group, edge: group, layer: group });
  const format = choiceParameter(address, "format", FORMATS);
  const n = wholeParameter(address, "n");
  if (n % format.layout.elements !== 0) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": n is ${n}, and must be a multiple of ` +
        `${format.layout.elements}.`,
    );
  }
  const seed = wholeParameter(address, "seed", 0);
  return { format, n, rows: wholeParameter(address, "rows"), seed };
}

const dequantizeShape = (address: Address) =>
  shapeOf(address, "dequantize", { parameters: ["format", "n", "rows", "w", "bytes", "seed"] });

const embeddingShape = (address: Address) => ({
  ...shapeOf(address, "embedding", { parameters: ["format", "rows", "n", "tokens", "seed"] }),
  tokens: wholeParameter(address, "tokens"),
});

/** See {@linkcode Family}. */
export const dequantize: Family<RowsInput> = {
  ...COMMON,
  name: "dequantize",
  addresses: dequantizeAddresses,
  cost: (address) => {
    const { n, rows } = dequantizeShape(address);
    return n * rows;
  },
  input: (address) => {
    const { format, ...shape } = dequantizeShape(address);
    const scale = choiceParameter(address, "w", SCALES);
    const packed = drawTable(format, shape, scale, choiceParameter(address, "bytes", BYTES));
    const wanted = Uint32Array.from({ length: shape.rows }, (_, row) => row);
    return { format: address.parameters.get("format")!, n: shape.n, packed, wanted };
  },
};

/** See {@linkcode Family}. The table's first and last rows are among the tokens. */
export const embedding: Family<RowsInput> = {
  ...COMMON,
  name: "embedding",
  addresses: embeddingAddresses,
  cost: (address) => {
    const { n, tokens } = embeddingShape(address);
    return n * tokens;
  },
  input: (address) => {
    const { format, tokens, ...shape } = embeddingShape(address);
    const packed = drawTable(format, shape, SCALES.engine!, BYTES.random!);
    const random = mulberry32(shape.seed + 1);
    const wanted = Uint32Array.from({ length: tokens }, () => below(random, shape.rows));
    wanted[0] = shape.rows - 1;
    if (tokens > 1) wanted[tokens - 1] = 0;
    return { format: address.parameters.get("format")!, n: shape.n, packed, wanted };
  },
};
