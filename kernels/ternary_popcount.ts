/**
 * TERNARY_POPCOUNT: one row in one column an invocation, from planes of bits.
 *
 * @module
 */
import type { TernaryInput } from "../cases/ternary_popcount/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./ternary_popcount.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 plus, 1 minus, 2 signs, 3 output, 4 {words, rows}. Columns are workgroups in y. */
export const ternaryPopcountKernel: Kernel<TernaryInput> = {
  name: "TERNARY_POPCOUNT",
  family: "ternary_popcount",
  file: "kernels/ternary_popcount.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  rounds: ({ n }) => n / 32,
  prepare: ({ n, rows, cols, plus, minus, signs }) => [{
    bindings: [
      { binding: 0, kind: "input", bytes: new Uint8Array(plus.buffer) },
      { binding: 1, kind: "input", bytes: new Uint8Array(minus.buffer) },
      { binding: 2, kind: "input", bytes: new Uint8Array(signs.buffer) },
      { binding: 3, kind: "output", first: 0, words: rows * cols },
      { binding: 4, kind: "uniform", words: Uint32Array.of(n / 32, rows, 0, 0) },
    ],
    workgroups: [Math.ceil(rows / WORKGROUP), cols, 1],
  }],
};
