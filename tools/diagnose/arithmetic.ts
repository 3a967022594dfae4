/**
 * The dot product of `q1_0_matmul` with its rules as parameters: right with {@linkcode RIGHT}, and
 * wrong in a known way with any of them changed. Written apart from the reference, so that the two
 * hold each other.
 *
 * @module
 */
import {
  addF32,
  bitsOfF32,
  f32OfF16,
  fmaF32,
  type LaneWatch,
  mulF32,
} from "../../reference/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";

/** What a kernel may do in another way than it should. */
export interface Rules {
  /** round(d0·ab + acc). */
  readonly outer: (d0: number, ab: number, acc: number) => number;
  /** round(d1·s + ab). */
  readonly inner: (d1: number, s: number, ab: number) => number;
  /** Joins the eight lanes. */
  readonly join: (lanes: Float64Array) => number;
  /** The value of a quant's byte where its sign bit is 1, and where it is 0. */
  readonly added: (byte: number) => number;
  readonly subtracted: (byte: number) => number;
  /** Which sign bit belongs to element j of 0..31 in a word of 32. */
  readonly signOf: (j: number) => number;
  /** Where element j of 0..31 stands among the quants of its block. */
  readonly quantOf: (j: number) => number;
  /** The scales, from f16 bits. */
  readonly weightScale: (half: number) => number;
  readonly activationScale: (half: number) => number;
  /** Which row and column a word is computed from. */
  readonly rowOf: (row: number, input: Q1Input) => number;
  readonly colOf: (col: number, input: Q1Input) => number;
  /** Blocks, in the order in which they are added. */
  readonly blocks: (count: number) => readonly number[];
  /** Sub-blocks of a block. */
  readonly subBlocks: readonly number[];
  /** Scales of other places: which block's weight scale, which sub-block's activation scale. */
  readonly scaleBlock: (block: number, count: number) => number;
  readonly scaleSubBlock: (k: number) => number;
}

const join: Rules["join"] = (a) =>
  addF32(
    addF32(addF32(a[0]!, a[4]!), addF32(a[2]!, a[6]!)),
    addF32(addF32(a[1]!, a[5]!), addF32(a[3]!, a[7]!)),
  );

const signed = (byte: number) => (byte << 24) >> 24;
const scale = f32OfF16;

/** The contract. */
export const RIGHT: Rules = {
  outer: fmaF32,
  inner: fmaF32,
  join,
  added: signed,
  subtracted: (byte) => signed(-signed(byte)),
  signOf: (j) => j,
  quantOf: (j) => j,
  weightScale: scale,
  activationScale: scale,
  rowOf: (row) => row,
  colOf: (col) => col,
  blocks: (count) => Array.from({ length: count }, (_, block) => block),
  subBlocks: [0, 1, 2, 3],
  scaleBlock: (block) => block,
  scaleSubBlock: (k) => k,
};

const Q1_BYTES = 18;
const Q8_BYTES = 34;
const lanes = new Float64Array(8);

/** One word of the output under rules. Sub-blocks and blocks are watched as they are added. */
export function wordUnder(
  rules: Rules,
  input: Q1Input,
  row: number,
  col: number,
  watch?: LaneWatch,
): number {
  const { n, distinctRows, weights, activations } = input;
  const count = n / 128;
  const weightRow = (rules.rowOf(row, input) % distinctRows) * count;
  const column = rules.colOf(col, input) * count * 4;
  lanes.fill(0);
  for (const block of rules.blocks(count)) {
    const weightAt = (weightRow + block) * Q1_BYTES;
    const scaleAt = (weightRow + rules.scaleBlock(block, count)) * Q1_BYTES;
    const d0 = rules.weightScale(half(weights, scaleAt));
    for (let lane = 0; lane < 8; lane++) {
      let ab = 0;
      let isFirst = true;
      for (const k of rules.subBlocks) {
        const at = (column + 4 * block + k) * Q8_BYTES;
        const d1At = (column + 4 * block + rules.scaleSubBlock(k)) * Q8_BYTES;
        const d1 = rules.activationScale(half(activations, d1At));
        let s = 0;
        for (let j = 4 * lane; j < 4 * lane + 4; j++) {
          const bit = 32 * k + rules.signOf(j);
          const isAdded = (weights[weightAt + 2 + (bit >> 3)]! >> (bit & 7)) & 1;
          const byte = activations[at + 2 + rules.quantOf(j)]!;
          s += isAdded ? rules.added(byte) : rules.subtracted(byte);
        }
        ab = isFirst ? mulF32(d1, s) : rules.inner(d1, s, ab);
        isFirst = false;
        watch?.(lane, ab);
      }
      lanes[lane] = rules.outer(d0, ab, lanes[lane]!);
      watch?.(lane, lanes[lane]!);
    }
  }
  return bitsOfF32(rules.join(lanes));
}

function half(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
