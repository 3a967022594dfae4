/**
 * ROPE_KV_WRITE: a workgroup a head.
 *
 * @module
 */
import type { RopeKvWriteInput } from "../cases/rope_kv_write/input.ts";
import type { Kernel } from "./kernel.ts";
import text from "./rope_kv_write.wgsl" with { type: "text" };

/** An invocation a pair of a head. */
const WORKGROUP = 64;

/**
 * Bindings: 0 keys and 1 values of the token, 2 cosines, 3 sines, 4 and 5 the caches of keys and of
 * values, 6 {layer, position, len, heads}.
 */
export const ropeKvWriteHeads: Kernel<RopeKvWriteInput> = {
  name: "ROPE_KV_WRITE",
  family: "rope_kv_write",
  file: "kernels/rope_kv_write.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  rounds: () => 0,
  prepare: ({ key, value, cos, sin, keys, values, layer, position, len, heads }) => {
    const inputs = [key, value, cos, sin].map((part, binding) =>
      ({ binding, kind: "input", bytes: new Uint8Array(part.buffer) }) as const
    );
    const caches = [keys, values].map((part, nth) =>
      ({
        binding: 4 + nth,
        kind: "output",
        first: nth * keys.length,
        words: part.length,
        initial: new Uint32Array(part.buffer),
      }) as const
    );
    return [{
      bindings: [
        ...inputs,
        ...caches,
        { binding: 6, kind: "uniform", words: Uint32Array.of(layer, position, len, heads) },
      ],
      workgroups: [heads, 1, 1],
    }];
  },
};
