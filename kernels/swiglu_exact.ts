/**
 * SWIGLU_EXACT: a value an invocation, the same bits on every adapter.
 *
 * @module
 */
import type { SwigluInput } from "../cases/swiglu_exact/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./swiglu_exact.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 gate, 1 up, 2 output, 3 {count, zero, pad, pad}. */
export const swigluExactValues: Kernel<SwigluInput> = {
  name: "SWIGLU_EXACT",
  family: "swiglu_exact",
  file: "kernels/swiglu_exact.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  // The digits of a quotient.
  rounds: () => 26,
  prepare: ({ n, cols, gate, up }) => [{
    bindings: [
      { binding: 0, kind: "input", bytes: new Uint8Array(gate.buffer) },
      { binding: 1, kind: "input", bytes: new Uint8Array(up.buffer) },
      { binding: 2, kind: "output", first: 0, words: n * cols },
      { binding: 3, kind: "uniform", words: Uint32Array.of(n * cols, 0, 0, 0) },
    ],
    workgroups: [Math.ceil(n * cols / WORKGROUP), 1, 1],
  }],
};
