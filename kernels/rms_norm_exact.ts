/**
 * RMS_NORM_EXACT: a workgroup a column, the same bits on every adapter.
 *
 * @module
 */
import type { RmsNormExactInput } from "../cases/rms_norm_exact/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./rms_norm_exact.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 values, 1 weights, 2 output, 3 {n, epsilon, zero, pad}. */
export const rmsNormExactColumns: Kernel<RmsNormExactInput> = {
  name: "RMS_NORM_EXACT",
  family: "rms_norm_exact",
  file: "kernels/rms_norm_exact.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 4 * workgroup,
  // Both passes over the column, the halvings of the workgroup, and 25 digits of a quotient, a root
  // and a quotient.
  rounds: ({ n }) => 2 * Math.ceil(n / WORKGROUP) + 6 + 3 * 26,
  prepare: ({ n, cols, values, weight, epsilon }) => [{
    bindings: [
      { binding: 0, kind: "input", bytes: new Uint8Array(values.buffer) },
      { binding: 1, kind: "input", bytes: new Uint8Array(weight.buffer) },
      { binding: 2, kind: "output", first: 0, words: n * cols },
      { binding: 3, kind: "uniform", words: Uint32Array.of(n, epsilon, 0, 0) },
    ],
    workgroups: [cols, 1, 1],
  }],
};
