/**
 * ATTENTION: a workgroup a split of a head, then a workgroup a head.
 *
 * @module
 */
import type { AttentionInput } from "../cases/attention/family.ts";
import text from "./attention.wgsl" with { type: "text" };
import type { Binding, Kernel } from "./kernel.ts";

/** An invocation a key of a tile, and two elements of a head. */
const WORKGROUP = 64;
const HEAD = 2 * WORKGROUP;
/** Words that a split leaves: an output, a maximum, a sum. */
const PART = HEAD + 2;

/** Rounds of a tile's loops: a score's products, the halvings of the workgroup, the tile's keys. */
const TILE_ROUNDS = HEAD / 16 + 6 + WORKGROUP;

/**
 * Bindings: 0 queries, 1 keys, 2 values, 3 live keys, 4 and 5 what `split` leaves for `merge`, 6 output,
 * 7 {len, splits, kv, heads / kv, scale}.
 */
export const attentionSplits: Kernel<AttentionInput> = {
  name: "ATTENTION",
  family: "attention",
  file: "kernels/attention.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: (workgroup) => 2 * 4 * workgroup,
  rounds: ({ len, splits }) =>
    Math.max(Math.ceil(Math.ceil(len / splits) / WORKGROUP) * (1 + TILE_ROUNDS), 2 * splits),
  prepare: ({ heads, kv, len, splits, query, keys, values, live, scale }) => {
    const parameters = new Uint32Array(8);
    parameters.set([len, splits, kv, heads / kv]);
    new Float32Array(parameters.buffer)[4] = scale;
    const uniform: Binding = { binding: 7, kind: "uniform", words: parameters };
    const inputs = [query, keys, values, live].map((part, binding) =>
      ({ binding, kind: "input", bytes: new Uint8Array(part.buffer) }) as const
    );
    const scratch = { kind: "scratch", name: "parts", words: heads * splits * PART } as const;
    return [
      {
        entry: "split",
        bindings: [...inputs, { ...scratch, binding: 4, access: "write" }, uniform],
        workgroups: [splits, heads, 1],
      },
      {
        entry: "merge",
        bindings: [
          { ...scratch, binding: 5, access: "read" },
          { binding: 6, kind: "output", first: 0, words: query.length },
          uniform,
        ],
        workgroups: [heads, 1, 1],
      },
    ];
  },
};
