/**
 * Q8_QUANTIZE: activations to q8_0, two blocks an invocation.
 *
 * @module
 */
import { columnWords, type QuantizeInput } from "../cases/q8_0_quantize/family.ts";
import type { Kernel } from "./kernel.ts";
import text from "./q8_0_quantize.wgsl" with { type: "text" };

const WORKGROUP = 64;
/** Values of the two blocks of an invocation. */
const VALUES = 64;

/** Bindings: 0 values, 1 output, 2 {n, words}. */
export const q8Quantize: Kernel<QuantizeInput> = {
  name: "Q8_QUANTIZE",
  family: "q8_0_quantize",
  file: "kernels/q8_0_quantize.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  // At most: in each of two blocks 32 sizes, twice 25 digits, 16 pairs and their 32 quants; then 17
  // words are written. The input's length does not matter.
  rounds: () => 2 * (1 + 32 + 50 + 16 + 32) + 17,
  prepare: ({ n, cols, values }) => {
    const words = columnWords(n);
    return [{
      bindings: [
        { binding: 0, kind: "input", bytes: new Uint8Array(values.buffer) },
        { binding: 1, kind: "output", first: 0, words: words * cols },
        { binding: 2, kind: "uniform", words: Uint32Array.of(n, words, 0, 0) },
      ],
      workgroups: [Math.ceil(n / VALUES / WORKGROUP), cols, 1],
    }];
  },
};
