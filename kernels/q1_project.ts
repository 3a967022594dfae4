/**
 * Q1_PROJECT: four rows a workgroup, for the single column of a decode step.
 *
 * @module
 */
import type { Projection } from "../cases/q1_projection/family.ts";
import type { Kernel } from "./kernel.ts";
import { blocksOf, projectionBindings, ROWS_AT_ONCE } from "./projection.ts";
import text from "./q1_project.wgsl" with { type: "text" };

/** The smallest workgroup: it has the longest chains. */
const STEP = 8;

/** Bindings: as {@linkcode projectionBindings}, and 3 output. */
export const q1Project: Kernel<Projection> = {
  name: "Q1_PROJECT",
  family: "q1_projection",
  file: "kernels/q1_project.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: STEP },
  workgroupBytes: (workgroup) => 16 * workgroup,
  // Each block of a chain has eight rounds of its own; then the workgroup, of at most 2^10, is halved.
  rounds: (input) => Math.ceil(blocksOf(input) / STEP) * (1 + 8) + 10,
  prepare: (input) => [{
    bindings: [
      ...projectionBindings(input),
      { binding: 3, kind: "output", first: 0, words: input.rows * input.cols },
    ],
    workgroups: [Math.ceil(input.rows / ROWS_AT_ONCE), input.cols, 1],
  }],
};
