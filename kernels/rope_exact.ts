/**
 * ROPE_EXACT: a pair an invocation, the same bits on every adapter.
 *
 * @module
 */
import type { RopeInput } from "../cases/rope_exact/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./rope_exact.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 values, 1 cosines, 2 sines, 3 output, 4 {half, heads, position, zero}. */
export const ropeExactPairs: Kernel<RopeInput> = {
  name: "ROPE_EXACT",
  family: "rope_exact",
  file: "kernels/rope_exact.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  rounds: () => 0,
  prepare: ({ head, heads, tokens, position, values, cos, sin }) => [{
    bindings: [
      { binding: 0, kind: "input", bytes: new Uint8Array(values.buffer) },
      { binding: 1, kind: "input", bytes: new Uint8Array(cos.buffer) },
      { binding: 2, kind: "input", bytes: new Uint8Array(sin.buffer) },
      { binding: 3, kind: "output", first: 0, words: values.length },
      { binding: 4, kind: "uniform", words: Uint32Array.of(head / 2, heads, position, 0) },
    ],
    workgroups: [Math.ceil(heads * head / 2 / WORKGROUP), tokens, 1],
  }],
};
