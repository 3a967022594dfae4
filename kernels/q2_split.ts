/**
 * Q2_SPLIT and Q2_SPLIT_FUSED: four invocations a row in one column, for cards.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import { blockMajorQ2, builtAndFused, PACKED_DOT, SETTLE_ROUNDS } from "./block_major_matmul.ts";
import text from "./q2_split.wgsl" with { type: "text" };

const WORKGROUP = 128;
const ROWS = WORKGROUP / 4;
/** Blocks in workgroup memory. */
const SEGMENT = 32;

/** Bindings: see {@linkcode blockMajorQ2}. */
export const { built: q2Split, fused: q2SplitFused } = builtAndFused<Q2Input>({
  name: "Q2_SPLIT",
  family: "q2_0_matmul",
  file: "kernels/q2_split.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  needs: PACKED_DOT,
  // Per block quants, two starts, two scales and a step of two words a row; a count.
  workgroupBytes: () => SEGMENT * (64 + 8 + 8 + 8 * ROWS) + 4,
  // Segments, steps; then an output that is settled.
  rounds: ({ n }) => Math.ceil(n / 64 / SEGMENT) + n / 64 * (1 + SETTLE_ROUNDS),
  prepare: (input) => [blockMajorQ2(input, { rows: ROWS, cols: 1 })],
});
