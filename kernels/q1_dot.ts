/**
 * Q1_DOT: one row an invocation, from the packed blocks; a dispatch for each column.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import type { Kernel } from "./kernel.ts";
import { packBlocks } from "./packing.ts";
import text from "./q1_dot.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 weights, 1 activations, 2 output, 3 {n, rows, zero, pad}. */
export const q1Dot: Kernel<Q1Input> = {
  name: "Q1_DOT",
  family: "q1_0_matmul",
  file: "kernels/q1_dot.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  // Counted on Mesa 22.3.6, whose limit is 65,535: 4,369 blocks are right there, 4,370 are not. In a
  // block: itself, 4 + 1 sub-blocks, 8 + 1 lanes; the innermost loops are unrolled.
  rounds: ({ n }) => 15 * n / 128,
  prepare: (input) => {
    const { n, rows, cols } = input;
    const { weights, activations } = packBlocks(input);
    const columnBytes = activations.length / cols;
    return Array.from({ length: cols }, (_, col) => ({
      bindings: [
        { binding: 0, kind: "input", bytes: weights },
        {
          binding: 1,
          kind: "input",
          bytes: activations.subarray(col * columnBytes, (col + 1) * columnBytes),
        },
        { binding: 2, kind: "output", first: col * rows, words: rows },
        { binding: 3, kind: "uniform", words: Uint32Array.of(n, rows, 0, 0) },
      ],
      workgroups: [Math.ceil(rows / WORKGROUP), 1, 1],
    }));
  },
  workers: (row, col) => ({
    dispatch: col,
    x: row,
    y: 0,
    lanes: "one invocation",
    nth: 0,
    words: 1,
  }),
};
