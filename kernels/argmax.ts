/**
 * ARGMAX: the first of the largest logits, by a tree of two dispatches.
 *
 * @module
 */
import type { ArgmaxInput } from "../cases/argmax/family.ts";
import text from "./argmax.wgsl" with { type: "text" };
import type { Kernel } from "./kernel.ts";

/** Logits of one invocation of `part`. */
const EACH = 16;
/** The smallest workgroup: it has the most parts to join. */
const STEP = 8;

/** Bindings: 0 logits, 1 and 2 what `part` leaves for `join`, 3 output, 4 {n, parts}. */
export const argmaxTree: Kernel<ArgmaxInput> = {
  name: "ARGMAX",
  family: "argmax",
  file: "kernels/argmax.wgsl",
  text,
  workgroup: { kind: "constant", name: "WG", step: STEP },
  workgroupBytes: (workgroup) => 8 * workgroup,
  // `part` has its 16 logits, `join` its share of the parts; then both halve the workgroup, of at most
  // 2^10 invocations.
  rounds: ({ n }) => Math.max(EACH, Math.ceil(Math.ceil(n / (EACH * STEP)) / STEP)) + 10,
  prepare: ({ n, cols, logits }, workgroup) => {
    const parts = Math.ceil(n / (EACH * workgroup));
    const words = 2 * parts * cols;
    const uniform = {
      binding: 4,
      kind: "uniform",
      words: Uint32Array.of(n, parts, 0, 0),
    } as const;
    return [
      {
        entry: "part",
        bindings: [
          { binding: 0, kind: "input", bytes: bytesOf(logits) },
          { binding: 1, kind: "scratch", name: "parts", words, access: "write" },
          uniform,
        ],
        workgroups: [parts, cols, 1],
      },
      {
        entry: "join",
        bindings: [
          { binding: 2, kind: "scratch", name: "parts", words, access: "read" },
          { binding: 3, kind: "output", first: 0, words: cols },
          uniform,
        ],
        workgroups: [1, cols, 1],
      },
    ];
  },
};

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
