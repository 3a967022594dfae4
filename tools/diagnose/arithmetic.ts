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

/**
 * From a block's index to that of the block which is read in its place. Blocks are counted through
 * all rows, or columns, as they lie in memory; `per` is how many a row or column has, `lines` how
 * many rows or columns there are.
 */
export type Read = (at: number, per: number, lines: number) => number;

/** What a kernel may do in another way than it should. */
export interface Rules {
  /** The input as the kernel sees it. */
  readonly seen: (input: Q1Input) => Q1Input;
  /** round(d0·ab + acc). */
  readonly outer: (d0: number, ab: number, acc: number) => number;
  /** round(d1·s + ab). */
  readonly inner: (d1: number, s: number, ab: number) => number;
  /** What d1 is multiplied with before all else; d0 is then left out of `outer`. */
  readonly scaleFirst: ((d0: number, d1: number) => number) | undefined;
  /** Joins the eight lanes. */
  readonly join: (lanes: Float64Array) => number;
  /** What becomes of the joined sum. */
  readonly store: (sum: number) => number;
  /** The value of a quant's byte where its sign bit is 1, and where it is 0. */
  readonly added: (byte: number) => number;
  readonly subtracted: (byte: number) => number;
  /** Which sign bit belongs to element j of 0..31 in a word of 32. */
  readonly signOf: (j: number) => number;
  /** Where element j of 0..31 stands among the quants of its block. */
  readonly quantOf: (j: number) => number;
  /** Does element j of 0..31 count at all? */
  readonly counts: (j: number) => boolean;
  /** What becomes of the sum of a lane's four quants. */
  readonly sum: (s: number) => number;
  /** The scales, from f16 bits. */
  readonly weightScale: (half: number) => number;
  readonly activationScale: (half: number) => number;
  /** Which row and column a word is computed from; outside of the matrix nobody knows. */
  readonly cellOf: (row: number, col: number, input: Q1Input) => readonly [number, number];
  readonly rowOf: (row: number, input: Q1Input) => number;
  readonly colOf: (col: number, input: Q1Input) => number;
  /** Blocks, in the order in which they are added. */
  readonly blocks: (count: number) => readonly number[];
  /** Sub-blocks of a block. */
  readonly subBlocks: readonly number[];
  /** Which blocks of weights are read for the scale and for the sign bits. */
  readonly weightScaleAt: Read;
  readonly signsAt: Read;
  /** Which sub-block's sign bits of 0..3 are read; 4 is the next block's first. */
  readonly signSubBlock: (k: number) => number;
  /** Which sub-blocks of activations are read for the scale and for the quants: four a block. */
  readonly activationScaleAt: Read;
  readonly quantsAt: Read;
  /** The sum over sub-blocks goes on from the last block's. */
  readonly keepsSubBlocks: boolean;
}

const join: Rules["join"] = (a) =>
  addF32(
    addF32(addF32(a[0]!, a[4]!), addF32(a[2]!, a[6]!)),
    addF32(addF32(a[1]!, a[5]!), addF32(a[3]!, a[7]!)),
  );

const signed = (byte: number) => (byte << 24) >> 24;
const scale = f32OfF16;

const same = (at: number) => at;

/** The contract. */
export const RIGHT: Rules = {
  seen: (input) => input,
  outer: fmaF32,
  inner: fmaF32,
  scaleFirst: undefined,
  join,
  store: same,
  added: signed,
  subtracted: (byte) => signed(-signed(byte)),
  signOf: same,
  quantOf: same,
  counts: () => true,
  sum: same,
  weightScale: scale,
  activationScale: scale,
  cellOf: (row, col) => [row, col],
  rowOf: same,
  colOf: same,
  blocks: (count) => Array.from({ length: count }, (_, block) => block),
  subBlocks: [0, 1, 2, 3],
  weightScaleAt: same,
  signsAt: same,
  signSubBlock: same,
  activationScaleAt: same,
  quantsAt: same,
  keepsSubBlocks: false,
};

const Q1_BYTES = 18;
const Q8_BYTES = 34;
const lanes = new Float64Array(8);
const ab = new Float64Array(8);

/**
 * One word of the output under rules. Sub-blocks and blocks are watched as they are added.
 *
 * @returns `undefined` where something outside of the input is read: nobody knows what that gives
 */
export function wordUnder(
  rules: Rules,
  given: Q1Input,
  row: number,
  col: number,
  watch?: LaneWatch,
): number | undefined {
  const input = rules.seen(given);
  const { n, rows, cols } = input;
  const count = n / 128;
  const [rowRead, colRead] = rules.cellOf(row, col, given);
  const firstWeight = rules.rowOf(rowRead, given) * count;
  const firstActivation = rules.colOf(colRead, given) * count * 4;
  const [weightEnd, activationEnd] = [rows * count, cols * count * 4];
  lanes.fill(0);
  ab.fill(0);
  let isFirstBlock = true;
  for (const block of rules.blocks(count)) {
    const scaleAt = rules.weightScaleAt(firstWeight + block, count, rows);
    const signsAt = rules.signsAt(firstWeight + block, count, rows);
    if (!isWithin(scaleAt, weightEnd)) return undefined;
    const d0 = rules.weightScale(half(input.weights, weightByte(scaleAt, input)));
    let isFirst = isFirstBlock || !rules.keepsSubBlocks;
    for (const k of rules.subBlocks) {
      const at = firstActivation + 4 * block + k;
      const d1At = rules.activationScaleAt(at, 4 * count, cols);
      const quantsAt = rules.quantsAt(at, 4 * count, cols);
      if (!isWithin(d1At, activationEnd) || !isWithin(quantsAt, activationEnd)) return undefined;
      const d1 = rules.activationScale(half(input.activations, d1At * Q8_BYTES));
      const factor = rules.scaleFirst ? rules.scaleFirst(d0, d1) : d1;
      if (!isWithin(signsAt + (rules.signSubBlock(k) >> 2), weightEnd)) return undefined;
      const signs = signByte(signsAt, rules.signSubBlock(k), input);
      for (let lane = 0; lane < 8; lane++) {
        const s = rules.sum(signedSum(rules, input, lane, signs, quantsAt * Q8_BYTES + 2));
        ab[lane] = isFirst ? mulF32(factor, s) : rules.inner(factor, s, ab[lane]!);
        watch?.(lane, ab[lane]!);
      }
      isFirst = false;
    }
    for (let lane = 0; lane < 8; lane++) {
      lanes[lane] = rules.outer(rules.scaleFirst ? 1 : d0, ab[lane]!, lanes[lane]!);
      watch?.(lane, lanes[lane]!);
    }
    isFirstBlock = false;
  }
  return bitsOfF32(rules.store(rules.join(lanes)));
}

/** Σ of a lane's four quants, from the bytes of its sub-block's signs and quants. */
function signedSum(
  rules: Rules,
  { weights, activations }: Q1Input,
  lane: number,
  signsAt: number,
  quantsAt: number,
): number {
  let s = 0;
  for (let j = 4 * lane; j < 4 * lane + 4; j++) {
    if (!rules.counts(j)) continue;
    const bit = rules.signOf(j);
    const isAdded = (weights[signsAt + (bit >> 3)]! >> (bit & 7)) & 1;
    const byte = activations[quantsAt + rules.quantOf(j)]!;
    s += isAdded ? rules.added(byte) : rules.subtracted(byte);
  }
  return s;
}

function isWithin(at: number, end: number): boolean {
  return at >= 0 && at < end;
}

/** Where a block of weights begins: rows beyond the distinct ones repeat them. */
function weightByte(at: number, { n, distinctRows }: Q1Input): number {
  return at % (distinctRows * n / 128) * Q1_BYTES;
}

/** Where a sub-block's sign bits begin; its fifth are the next block's first. */
function signByte(at: number, k: number, input: Q1Input): number {
  return weightByte(at + (k >> 2), input) + 2 + 4 * (k & 3);
}

function half(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
