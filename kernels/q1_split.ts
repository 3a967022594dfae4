/**
 * Q1_SPLIT and Q1_SPLIT_FUSED: four invocations a row.
 *
 * @module
 */
import { blockMajorMatmul, builtAndFused, PACKED_DOT } from "./block_major_matmul.ts";
import text from "./q1_split.wgsl" with { type: "text" };

const WORKGROUP = 128;
const ROWS = WORKGROUP / 4;
/** Blocks in workgroup memory: an invocation loads a lane of one. */
const SEGMENT = WORKGROUP / 8;

/** Bindings: see {@linkcode blockMajorMatmul}. */
export const { built: q1Split, fused: q1SplitFused } = builtAndFused({
  name: "Q1_SPLIT",
  family: "q1_0_matmul",
  file: "kernels/q1_split.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  needs: PACKED_DOT,
  // Activations of a segment: per block eight lanes of 32 bytes and four scales; the chains; a count.
  workgroupBytes: () => SEGMENT * (8 * 32 + 16) + 8 * 4 * ROWS + 4,
  // Segments, eights of blocks; then special values of eight lanes.
  rounds: ({ n }) => {
    const blocks = n / 128;
    return Math.ceil(blocks / SEGMENT) + Math.ceil(blocks / 8) + 8 * (blocks + 1);
  },
  prepare: (input) => [blockMajorMatmul(input, { rows: ROWS, cols: 1 })],
});
