/**
 * Q2_ROWS: one invocation four rows, for software adapters.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import { blockMajorQ2, SETTLE_ROUNDS } from "./block_major_matmul.ts";
import type { Kernel } from "./kernel.ts";
import text from "./q2_rows.wgsl" with { type: "text" };

/** Of an invocation. */
const ROWS = 4;

/** Bindings: see {@linkcode blockMajorQ2}. */
export const q2Rows: Kernel<Q2Input> = {
  name: "Q2_ROWS",
  family: "q2_0_matmul",
  file: "kernels/q2_rows.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: 1 },
  workgroupBytes: () => 0,
  // Blocks; then outputs that are settled.
  rounds: ({ n }) => n / 64 * (1 + ROWS * SETTLE_ROUNDS),
  prepare: (input, workgroup) => [blockMajorQ2(input, { rows: ROWS * workgroup, cols: 1 })],
};
