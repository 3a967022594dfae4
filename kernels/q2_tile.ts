/**
 * Q2_TILE and Q2_TILE_FUSED: one invocation two rows in four columns, for cards.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import { blockMajorQ2, builtAndFused, PACKED_DOT, SETTLE_ROUNDS } from "./block_major_matmul.ts";
import text from "./q2_tile.wgsl" with { type: "text" };

const WORKGROUP = 128;
/** Of an invocation. */
const ROWS = 2;
const COLS = 4;
/** Blocks in workgroup memory, of each column: an invocation loads half of one. */
const SEGMENT = WORKGROUP / (2 * COLS);

/** Bindings: see {@linkcode blockMajorQ2}. */
export const { built: q2Tile, fused: q2TileFused } = builtAndFused<Q2Input>({
  name: "Q2_TILE",
  family: "q2_0_matmul",
  file: "kernels/q2_tile.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  needs: PACKED_DOT,
  // Per block and column quants, two starts and two scales; a count.
  workgroupBytes: () => SEGMENT * COLS * (64 + 8 + 8) + 4,
  // Segments, blocks; then outputs that are settled, of two rows.
  rounds: ({ n }) =>
    Math.ceil(n / 64 / SEGMENT) + n / 64 + ROWS * COLS * (1 + n / 64 * SETTLE_ROUNDS),
  prepare: (input) => [blockMajorQ2(input, { rows: ROWS * WORKGROUP, cols: COLS })],
});
