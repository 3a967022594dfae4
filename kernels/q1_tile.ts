/**
 * Q1_TILE and Q1_TILE_FUSED: one invocation a row in four columns, with a table of sums.
 *
 * @module
 */
import { blockMajorMatmul, builtAndFused } from "./block_major_matmul.ts";
import text from "./q1_tile.wgsl" with { type: "text" };

const WORKGROUP = 256;
const COLUMNS = 4;

/** Bindings: see {@linkcode blockMajorMatmul}. */
export const { built: q1Tile, fused: q1TileFused } = builtAndFused({
  name: "Q1_TILE",
  family: "q1_0_matmul",
  file: "kernels/q1_tile.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  // The table: for each column sixteen sums of each lane of each of four sub-blocks; a count.
  workgroupBytes: () => COLUMNS * 4 * 8 * 16 * 4 + 4,
  // Blocks; then special values of eight lanes, in four columns.
  rounds: ({ n }) => n / 128 + COLUMNS * 8 * (n / 128 + 1),
  prepare: (input) => [blockMajorMatmul(input, { rows: WORKGROUP, cols: COLUMNS })],
});
