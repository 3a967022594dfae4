/**
 * Q2_WHOLE and Q2_WHOLE_FUSED: one invocation a row in one column, for cards.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import { blockMajorQ2, builtAndFused, PACKED_DOT, SETTLE_ROUNDS } from "./block_major_matmul.ts";
import text from "./q2_whole.wgsl" with { type: "text" };

const WORKGROUP = 128;
/** Blocks in workgroup memory: an invocation loads half of one. */
const SEGMENT = WORKGROUP / 2;

/** Bindings: see {@linkcode blockMajorQ2}. */
export const { built: q2Whole, fused: q2WholeFused } = builtAndFused<Q2Input>({
  name: "Q2_WHOLE",
  family: "q2_0_matmul",
  file: "kernels/q2_whole.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  needs: PACKED_DOT,
  // Per block quants, two starts and two scales; a count.
  workgroupBytes: () => SEGMENT * (64 + 8 + 8) + 4,
  // Segments, blocks; then an output that is settled.
  rounds: ({ n }) => Math.ceil(n / 64 / SEGMENT) + n / 64 * (1 + SETTLE_ROUNDS),
  prepare: (input) => [blockMajorQ2(input, { rows: WORKGROUP, cols: 1 })],
});
