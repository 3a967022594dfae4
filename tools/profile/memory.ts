/**
 * What memory does at its edges: workgroup memory before its first use, barriers, and storage
 * buffers beyond their ends.
 *
 * @module
 */

/** A question that one word of the memory kernel's output decides. */
export interface MemoryProbe {
  readonly rule: string;
  readonly asks: string;
  readonly answers: Readonly<Record<string, number>>;
}

/** Words of the array that is read and written beyond its end; a guard of as many follows. */
export const EDGE_WORDS = 64;
export const LAST_WORD = 0x1a57;
const GUARD = 0x60a2d;
const WRITTEN = 0xbad;

/** The edge array and its guard, before the kernel runs. */
export function edgeWords(): Uint32Array {
  const words = new Uint32Array(2 * EDGE_WORDS).fill(GUARD, EDGE_WORDS);
  words[EDGE_WORDS - 1] = LAST_WORD;
  return words;
}

/** Words 0 to 3 of the output, in this order. */
export const MEMORY: readonly MemoryProbe[] = [
  {
    rule: "workgroup_memory_at_start",
    asks: "Is workgroup memory zero before it is written?",
    answers: { zeroed: 0 },
  },
  {
    rule: "workgroup_barrier",
    asks: "Does every invocation of 64 see what the others wrote before a barrier?",
    answers: { all_seen: 64 },
  },
  {
    rule: "read_beyond_storage",
    asks: "What is read past the end of a storage buffer?",
    answers: { zero: 0, last_element: LAST_WORD, neighbour: GUARD },
  },
  {
    rule: "write_beyond_storage",
    asks: "What does a write past the end of a storage buffer change?",
    answers: { nothing: 0, last_element: 1, neighbour: 2 },
  },
];

/** Where a write beyond the end went, from the edge array afterwards. */
export function whereWritten(edge: Uint32Array): number {
  if (edge.subarray(EDGE_WORDS).includes(WRITTEN)) return 2;
  return edge.includes(WRITTEN) ? 1 : 0;
}

/** Two dispatches: the first leaves workgroup memory dirty for the second. */
export const MEMORY_TEXT = `
@group(0) @binding(0) var<storage, read_write> E: array<u32>; // the edge array without its guard
@group(0) @binding(1) var<storage, read_write> O: array<u32>;
@group(0) @binding(2) var<uniform> zeros: vec4<u32>;

var<workgroup> dirty: array<u32, 64>;
var<workgroup> seen: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
  let zero = zeros.x;
  let before = dirty[local];
  if (before != 0u) {
    O[0] = before;
  }
  workgroupBarrier();
  dirty[local] = local + 1u;
  workgroupBarrier();
  if (dirty[63u - local] == 64u - local) {
    atomicAdd(&seen, 1u);
  }
  workgroupBarrier();
  if (local == 0u) {
    O[1] = atomicLoad(&seen);
    O[2] = E[${EDGE_WORDS + 8}u + zero];
    E[${EDGE_WORDS + 8}u + zero] = ${WRITTEN}u;
  }
}
`;
