/**
 * Q1_MM4: one lane of a row an invocation, for a tile of four columns.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import { alignedMatmul, alignedWorkers, LANES } from "./aligned_matmul.ts";
import type { Kernel } from "./kernel.ts";
import text from "./q1_mm4.wgsl" with { type: "text" };

/** Bindings: see {@linkcode alignedMatmul}. */
export const q1Mm4: Kernel<Q1Input> = {
  name: "Q1_MM4",
  family: "q1_0_matmul",
  file: "kernels/q1_mm4.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: LANES },
  workgroupBytes: (workgroup) => 16 * workgroup,
  // Counted on Mesa 22.3.6, whose limit is 65,535: the longest row that is right has 3,855 blocks for
  // one column, 2,978 for two, 2,426 for three and 2,047 for four.
  rounds: ({ n, cols }) => (12 + 5 * Math.min(4, cols)) * n / 128,
  prepare: (input, workgroup) => [alignedMatmul(input, workgroup, 4)],
  workers: alignedWorkers(4),
};
