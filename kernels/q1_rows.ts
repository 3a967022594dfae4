/**
 * Q1_ROWS: one invocation four rows, for software adapters.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import { blockMajorMatmul } from "./block_major_matmul.ts";
import type { Kernel } from "./kernel.ts";
import text from "./q1_rows.wgsl" with { type: "text" };

/** Of an invocation. */
const ROWS = 4;

/** Bindings: see {@linkcode blockMajorMatmul}. */
export const q1Rows: Kernel<Q1Input> = {
  name: "Q1_ROWS",
  family: "q1_0_matmul",
  file: "kernels/q1_rows.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: 1 },
  workgroupBytes: () => 0,
  // Blocks; then special values of eight lanes, in four rows.
  rounds: ({ n }) => n / 128 + ROWS * 8 * (n / 128 + 1),
  prepare: (input, workgroup) => [blockMajorMatmul(input, { rows: ROWS * workgroup, cols: 1 })],
};
