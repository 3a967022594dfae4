/**
 * QK_NORM_ROPE: a workgroup a head.
 *
 * @module
 */
import type { QkNormRopeInput } from "../cases/qk_norm_rope/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./qk_norm_rope.wgsl" with { type: "text" };

/** An invocation a pair of a head. */
const WORKGROUP = 64;

/** Bindings: 0 heads, 1 weights, 2 cosines, 3 sines, 4 output, 5 {position, epsilon}. */
export const qkNormRopeHeads: Kernel<QkNormRopeInput> = {
  name: "QK_NORM_ROPE",
  family: "qk_norm_rope",
  file: "kernels/qk_norm_rope.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 4 * workgroup,
  // The halvings of the workgroup.
  rounds: () => 6,
  prepare: ({ heads, position, values, weight, epsilon, cos, sin }) => {
    const parameters = new Uint32Array(4);
    parameters[0] = position;
    new Float32Array(parameters.buffer)[1] = epsilon;
    const inputs = [values, weight, cos, sin].map((part, binding) =>
      ({ binding, kind: "input", bytes: new Uint8Array(part.buffer) }) as const
    );
    return [{
      bindings: [
        ...inputs,
        { binding: 4, kind: "output", first: 0, words: values.length },
        { binding: 5, kind: "uniform", words: parameters },
      ],
      workgroups: [heads, 1, 1],
    }];
  },
};
