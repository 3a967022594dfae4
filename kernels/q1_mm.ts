/**
 * Q1_MM: one lane of a row an invocation.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import { alignedMatmul, alignedWorkers, LANES } from "./aligned_matmul.ts";
import type { Kernel } from "./kernel.ts";
import text from "./q1_mm.wgsl" with { type: "text" };

/** Bindings: see {@linkcode alignedMatmul}. */
export const q1Mm: Kernel<Q1Input> = {
  name: "Q1_MM",
  family: "q1_0_matmul",
  file: "kernels/q1_mm.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: LANES },
  workgroupBytes: (workgroup) => 4 * workgroup,
  // Counted on Mesa 22.3.6: all loops in a block are unrolled.
  rounds: ({ n }) => n / 128,
  prepare: (input, workgroup) => [alignedMatmul(input, workgroup, 1)],
  workers: alignedWorkers(1),
};
