/**
 * RMS_NORM: a workgroup a column.
 *
 * @module
 */
import type { RmsNormInput } from "../cases/rms_norm/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./rms_norm.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 values, 1 weights, 2 output, 3 {n, epsilon}. */
export const rmsNormColumns: Kernel<RmsNormInput> = {
  name: "RMS_NORM",
  family: "rms_norm",
  file: "kernels/rms_norm.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 4 * workgroup,
  // Both passes over the column, and the halvings of the workgroup.
  rounds: ({ n }) => 2 * Math.ceil(n / WORKGROUP) + 6,
  prepare: ({ n, cols, values, weight, epsilon }) => {
    const parameters = new Uint32Array(4);
    parameters[0] = n;
    new Float32Array(parameters.buffer)[1] = epsilon;
    return [{
      bindings: [
        { binding: 0, kind: "input", bytes: new Uint8Array(values.buffer) },
        { binding: 1, kind: "input", bytes: new Uint8Array(weight.buffer) },
        { binding: 2, kind: "output", first: 0, words: n * cols },
        { binding: 3, kind: "uniform", words: parameters },
      ],
      workgroups: [cols, 1, 1],
    }];
  },
};
