/**
 * SOFTMAX_EXACT: a workgroup a column, the same bits on every adapter.
 *
 * @module
 */
import type { SoftmaxInput } from "../cases/softmax_exact/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./softmax_exact.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 values, 1 output, 2 {n, zero, pad, pad}. */
export const softmaxExactColumns: Kernel<SoftmaxInput> = {
  name: "SOFTMAX_EXACT",
  family: "softmax_exact",
  file: "kernels/softmax_exact.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 2 * 4 * workgroup,
  // Three passes over the column, the last with 25 digits of a quotient for each value; the halvings.
  rounds: ({ n }) => (3 + 26) * Math.ceil(n / WORKGROUP) + 2 * 6,
  prepare: ({ n, cols, values }) => [{
    bindings: [
      { binding: 0, kind: "input", bytes: new Uint8Array(values.buffer) },
      { binding: 1, kind: "output", first: 0, words: n * cols },
      { binding: 2, kind: "uniform", words: Uint32Array.of(n, 0, 0, 0) },
    ],
    workgroups: [cols, 1, 1],
  }],
};
