/**
 * Q1_MM4: one lane of a row an invocation, for a tile of four columns.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import { alignedMatmul, LANES } from "./aligned_matmul.ts";
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
  prepare: (input, workgroup) => [alignedMatmul(input, workgroup, 4)],
};
