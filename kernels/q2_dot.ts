/**
 * Q2_DOT: one row in one column an invocation, from the packed blocks.
 *
 * @module
 */
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import text from "./q2_dot.wgsl" with { type: "text" };

const WORKGROUP = 64;

/**
 * Bindings: 0 weights, 1 activations, 2 output, 3 {n, rows, zero}. Columns are workgroups in y.
 *
 * @param workgroups in x
 */
export function packedProduct(
  { n, rows, cols, weights, activations }: Q2Input,
  workgroups: number,
): Dispatch {
  return {
    bindings: [
      { binding: 0, kind: "input", bytes: weights },
      { binding: 1, kind: "input", bytes: activations },
      { binding: 2, kind: "output", first: 0, words: rows * cols },
      { binding: 3, kind: "uniform", words: Uint32Array.of(n, rows, 0, 0) },
    ],
    workgroups: [workgroups, cols, 1],
  };
}

/** Bindings: see {@linkcode packedProduct}. */
export const q2Dot: Kernel<Q2Input> = {
  name: "Q2_DOT",
  family: "q2_0_matmul",
  file: "kernels/q2_dot.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  // Where nothing is unrolled, a block is one round, two of its q8_0 blocks, 8 words in each, and 4
  // quants in each word.
  rounds: ({ n }) => n / 64 * (1 + 2 * (1 + 8 * (1 + 4))),
  prepare: (input) => [packedProduct(input, Math.ceil(input.rows / WORKGROUP))],
};
