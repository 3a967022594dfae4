/**
 * Q1_LUT4: sums of four activations from a table, for the many columns of a prompt.
 *
 * @module
 */
import type { Projection } from "../cases/q1_projection/family.ts";
import type { Kernel } from "./kernel.ts";
import { blocksOf, projectionBindings } from "./projection.ts";
import text from "./q1_lut4.wgsl" with { type: "text" };

/** Columns that share a table. */
const TILE_COLS = 4;
/** Blocks whose sums are in the table together. */
const CHUNK = 2;
/** Of the table: eight for each of the eight fours of a block. */
const ENTRIES = CHUNK * 8 * 8;
/** The smallest workgroup: each of its invocations fills the most of the table. */
const STEP = 8;

/** Bindings: as {@linkcode projectionBindings}, and 3 output. */
export const q1Lut4: Kernel<Projection> = {
  name: "Q1_LUT4",
  family: "q1_projection",
  file: "kernels/q1_lut4.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: STEP },
  workgroupBytes: () => 16 * ENTRIES,
  // Of each chunk: its share of the table, and eight rounds a block; in the end a round a column.
  rounds: (input) =>
    Math.ceil(blocksOf(input) / CHUNK) * (1 + ENTRIES / STEP + CHUNK * (1 + 8)) + TILE_COLS,
  prepare: (input, workgroup) => [{
    bindings: [
      ...projectionBindings(input),
      { binding: 3, kind: "output", first: 0, words: input.rows * input.cols },
    ],
    workgroups: [Math.ceil(input.rows / workgroup), Math.ceil(input.cols / TILE_COLS), 1],
  }],
};
