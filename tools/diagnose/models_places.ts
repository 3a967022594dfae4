/**
 * Other places: weights and activations read from elsewhere, rows and columns exchanged.
 *
 * @module
 */
import type { Read } from "./arithmetic.ts";
import { scalesExchanged, wordsExchanged } from "./exchanged.ts";
import { type Model, model } from "./model.ts";

type Shift = readonly [name: string, read: Read];

const inRow = (change: (block: number, count: number) => number): Read => (at, per) =>
  at - at % per + change(at % per, per);

/** Other blocks, of weights: a step in memory after a row's last block is into the next row. */
const BLOCK_SHIFTS: readonly Shift[] = [
  ["of the block after", (at) => at + 1],
  ["of the block before", (at) => at - 1],
  ["of the row's first block", inRow(() => 0)],
  ["of the row's last block", inRow((_, count) => count - 1)],
  ["of the neighbouring block of two", (at) => at ^ 1],
  ["of the row's blocks in reverse order", inRow((block, count) => count - 1 - block)],
  ["of the row after", (at, per) => at + per],
  ["of the row before", (at, per) => at - per],
  ["of row 0", (at, per) => at % per],
  [
    "of a matrix that lies block by block",
    (at, per, rows) => at % per * rows + Math.floor(at / per),
  ],
];

const inBlock = (change: (k: number) => number): Read => (at) => (at & ~3) + change(at & 3);

/** Other sub-blocks, of activations. */
const SUB_BLOCK_SHIFTS: readonly Shift[] = [
  ["of the sub-block after", (at) => at + 1],
  ["of the sub-block before", (at) => at - 1],
  ["of the next sub-block of the same block", inBlock((k) => (k + 1) % 4)],
  ["of the last sub-block of the same block before it", inBlock((k) => (k + 3) % 4)],
  ["of the first sub-block in all four", inBlock(() => 0)],
  ["of the last sub-block in all four", inBlock(() => 3)],
  ["of the sub-blocks in reverse order", inBlock((k) => 3 - k)],
  ["of the block after", (at) => at + 4],
  ["of the block before", (at) => at - 4],
  ["of the column's first block", (at, per) => at - at % per + (at & 3)],
  ["of the column after", (at, per) => at + per],
  ["of the column before", (at, per) => at - per],
  ["of column 0", (at, per) => at % per],
  ["of the first column of its tile of four", (at, per) => {
    const col = Math.floor(at / per);
    return at % per + (col & ~3) * per;
  }],
  ["of a matrix that lies block by block", (at, per, cols) => {
    const [block, col] = [Math.floor(at % per / 4), Math.floor(at / per)];
    return (block * cols + col) * 4 + (at & 3);
  }],
];

/** How activations of another column come about. */
const STALE = ": stale activations";

const READS: readonly Model[] = [
  ...BLOCK_SHIFTS.flatMap(([name, read]) => [
    model(`the weight scale ${name}`, { weightScaleAt: read }),
    model(`the sign bits ${name}`, { signsAt: read }),
    model(`weights, scale and sign bits, ${name}`, { weightScaleAt: read, signsAt: read }),
  ]),
  ...SUB_BLOCK_SHIFTS.flatMap(([name, read]) => [
    model(`the activation scale ${name}`, { activationScaleAt: read }),
    model(`the quants ${name}`, { quantsAt: read }),
    model(`activations, scale and quants, ${name}${name.includes("column") ? STALE : ""}`, {
      activationScaleAt: read,
      quantsAt: read,
    }),
  ]),
  model("the buffers of the two scales are exchanged", { seen: scalesExchanged }),
  model("the buffers of sign bits and quants are exchanged", { seen: wordsExchanged }),
  model("the sign bits of the first sub-block in all four", { signSubBlock: () => 0 }),
  model("the sign bits of the sub-blocks in reverse order", { signSubBlock: (k) => 3 - k }),
  model("the sign bits of the next sub-block of the same block", {
    signSubBlock: (k) => (k + 1) % 4,
  }),
];

/** Whole rows and columns, beside those that {@linkcode READS} shift. */
const CELLS: readonly Model[] = [
  model("rows are computed in reverse order", { rowOf: (row, { rows }) => rows - 1 - row }),
  ...[8, 16, 32, 64, 128].map((step) =>
    model(`rows repeat after ${step}`, { rowOf: (row) => row % step })
  ),
  model("rows and their neighbours are exchanged", { rowOf: (row) => row ^ 1 }),
  model("the last row is computed from the row before it", {
    rowOf: (row, { rows }) => Math.min(row, rows - 2),
  }),
  model("columns of a tile of four in reverse order", { colOf: (col) => col ^ 3 }),
  model("columns and their neighbours are exchanged", { colOf: (col) => col ^ 1 }),
  model("the last column is computed from the column before it", {
    colOf: (col, { cols }) => Math.min(col, cols - 2),
  }),
  model("the output is stored by rows and not by columns", {
    cellOf: (row, col, { rows, cols }) => {
      const at = col * rows + row;
      return [Math.floor(at / cols), at % cols];
    },
  }),
];

export const PLACES: readonly Model[] = [...READS, ...CELLS];
