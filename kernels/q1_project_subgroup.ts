/**
 * Q1_PROJECT_SUBGROUP: Q1_PROJECT where invocations of a subgroup add without workgroup memory.
 *
 * @module
 */
import type { Projection } from "../cases/q1_projection/family.ts";
import type { Kernel } from "./kernel.ts";
import { blocksOf, projectionBindings, ROWS_AT_ONCE } from "./projection.ts";
import text from "./q1_project_subgroup.wgsl" with { type: "text" };

/** No more partial sums may be joined in an order that nobody knows: the bound is for as many. */
const WORKGROUP = 64;

/** Bindings: as {@linkcode projectionBindings}, and 3 output. */
export const q1ProjectSubgroup: Kernel<Projection> = {
  name: "Q1_PROJECT_SUBGROUP",
  family: "q1_projection",
  file: "kernels/q1_project_subgroup.wgsl",
  text,
  features: ["subgroups"],
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 16 * workgroup,
  // Each block of a chain has eight rounds of its own; then a round a subgroup.
  rounds: (input) => Math.ceil(blocksOf(input) / WORKGROUP) * (1 + 8) + WORKGROUP,
  prepare: (input) => [{
    bindings: [
      ...projectionBindings(input),
      { binding: 3, kind: "output", first: 0, words: input.rows * input.cols },
    ],
    workgroups: [Math.ceil(input.rows / ROWS_AT_ONCE), input.cols, 1],
  }],
};
