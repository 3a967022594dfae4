/**
 * SWIGLU: an invocation an element.
 *
 * @module
 */
import type { SwigluInput } from "../cases/swiglu/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./swiglu.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 gates, 1 values, 2 output, 3 {elements}. */
export const swigluElements: Kernel<SwigluInput> = {
  name: "SWIGLU",
  family: "swiglu",
  file: "kernels/swiglu.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  rounds: () => 0,
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
