/**
 * LM_HEAD: a projection onto the vocabulary of which only the token leaves.
 *
 * @module
 */
import type { Projection } from "../cases/q1_projection/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./lm_head.wgsl" with { type: "text" };
import { blocksOf, projectionBindings, ROWS_AT_ONCE } from "./projection.ts";

/** The smallest workgroup: it has the longest chains. */
const STEP = 8;

/** Bindings: as {@linkcode projectionBindings}, 3 output, 5 and 6 what `part` leaves for `join`. */
export const lmHeadTree: Kernel<Projection> = {
  name: "LM_HEAD",
  family: "lm_head",
  file: "kernels/lm_head.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: STEP },
  // Sums of four rows, and the best that are joined.
  workgroupBytes: (workgroup) => (16 + 8) * workgroup,
  // `part` has eight rounds a block of its chain and four rows, `join` its share of the parts; both
  // halve the workgroup, of at most 2^10 invocations.
  rounds: (input) =>
    Math.max(
      Math.ceil(blocksOf(input) / STEP) * (1 + 8) + ROWS_AT_ONCE,
      Math.ceil(partsOf(input) / STEP),
    ) + 10,
  prepare: (input) => {
    const parts = partsOf(input);
    const words = 2 * parts * input.cols;
    const bindings = projectionBindings(input, parts);
    return [
      {
        entry: "part",
        bindings: [
          ...bindings,
          { binding: 5, kind: "scratch", name: "parts", words, access: "write" },
        ],
        workgroups: [parts, input.cols, 1],
      },
      {
        entry: "join",
        bindings: [
          { binding: 6, kind: "scratch", name: "parts", words, access: "read" },
          { binding: 3, kind: "output", first: 0, words: input.cols },
          ...bindings.filter(({ kind }) => kind === "uniform"),
        ],
        workgroups: [1, input.cols, 1],
      },
    ];
  },
};

function partsOf({ rows }: Projection): number {
  return Math.ceil(rows / ROWS_AT_ONCE);
}
