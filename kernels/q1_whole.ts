/**
 * Q1_WHOLE and Q1_WHOLE_FUSED: one invocation a row.
 *
 * @module
 */
import { blockMajorMatmul, builtAndFused, PACKED_DOT } from "./block_major_matmul.ts";
import text from "./q1_whole.wgsl" with { type: "text" };

const WORKGROUP = 128;
/** Blocks in workgroup memory: an invocation loads a lane of one. */
const SEGMENT = WORKGROUP / 8;

/** Bindings: see {@linkcode blockMajorMatmul}. */
export const { built: q1Whole, fused: q1WholeFused } = builtAndFused({
  name: "Q1_WHOLE",
  family: "q1_0_matmul",
  file: "kernels/q1_whole.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  needs: PACKED_DOT,
  // Activations of a segment: per block eight lanes of 32 bytes and four scales; a count.
  workgroupBytes: () => SEGMENT * (8 * 32 + 16) + 4,
  // Segments, blocks; then special values of eight lanes.
  rounds: ({ n }) => {
    const blocks = n / 128;
    return Math.ceil(blocks / SEGMENT) + blocks + 8 * (blocks + 1);
  },
  prepare: (input) => [blockMajorMatmul(input, { rows: WORKGROUP, cols: 1 })],
});
