/**
 * The wrong arithmetics whose failures the manifest counts, each with one thing changed. They are
 * positive controls: a vector that no wrong arithmetic fails would prove nothing.
 *
 * Reading and summing are written apart from reference/q1_0.ts and q2_0.ts, element by element, so
 * that a mistake there is not repeated here.
 */

import {
  addF32,
  bitsOfF32,
  f32OfF16,
  fmaF32,
  type MatmulInput,
  mulF32,
} from "../../reference/mod.ts";

type Matmul = (input: MatmulInput) => Uint32Array;
type Fused = (a: number, b: number, c: number) => number;
type LaneSum = (lanes: readonly number[]) => number;

/** What a dot product may ask about one row and one column. */
interface Operands {
  readonly blocks: number;
  d0(block: number): number;
  d1(q8Block: number): number;
  /** Σ weight code · quant over `count` elements; −(−128) counts as `negated128`. */
  sum(from: number, count: number, negated128: number): number;
}

const mulThenAdd: Fused = (a, b, c) => addF32(mulF32(a, b), c);
const fmaViaF64: Fused = (a, b, c) => Math.fround(a * b + c);

const halves: LaneSum = ([a0, a1, a2, a3, a4, a5, a6, a7]) =>
  addF32(addF32(addF32(a0, a4), addF32(a2, a6)), addF32(addF32(a1, a5), addF32(a3, a7)));
const adjacentPairs: LaneSum = ([a0, a1, a2, a3, a4, a5, a6, a7]) =>
  addF32(addF32(addF32(a0, a1), addF32(a2, a3)), addF32(addF32(a4, a5), addF32(a6, a7)));
const sequential: LaneSum = (lanes) => lanes.reduce((sum, lane) => addF32(sum, lane));

const RIGHT = { inner: fmaF32, outer: fmaF32, negated128: -128, laneSum: halves };

/** Q1_0 computed element by element with nothing wrong: what the variants vary. */
export const rightQ1_0: Matmul = eightLanes(RIGHT);

/** By the manifest's name: the Q1_0 matmul that is wrong in that way. */
export const wrongQ1_0: Record<string, Matmul> = {
  inner_mul_add: eightLanes({ ...RIGHT, inner: mulThenAdd }), // exact, so not wrong at all
  outer_mul_add: eightLanes({ ...RIGHT, outer: mulThenAdd }),
  neg128_as_plus128: eightLanes({ ...RIGHT, negated128: 128 }),
  outer_fma_via_f64: eightLanes({ ...RIGHT, outer: fmaViaF64 }),
  hsum_sequential: eightLanes({ ...RIGHT, laneSum: sequential }),
  hsum_adjacent_pairs: eightLanes({ ...RIGHT, laneSum: adjacentPairs }),
  combined_scale: everyOutput(128, (operands) => {
    const lanes: number[] = Array(8).fill(0);
    for (let q8Block = 0; q8Block < operands.blocks * 4; q8Block++) {
      const scale = mulF32(operands.d0(q8Block >> 2), operands.d1(q8Block));
      for (let lane = 0; lane < 8; lane++) {
        lanes[lane] = fmaF32(scale, operands.sum(32 * q8Block + 4 * lane, 4, -128), lanes[lane]);
      }
    }
    return halves(lanes);
  }),
  generic_c_order: oneSum(128, fmaF32, fmaF32),
};

/** Q2_0 computed element by element with nothing wrong: what the variants vary. */
export const rightQ2_0: Matmul = oneSum(64, fmaF32, fmaF32);

/** By the manifest's name: the Q2_0 matmul that is wrong in that way. */
export const wrongQ2_0: Record<string, Matmul> = {
  inner_mul_add: oneSum(64, mulThenAdd, fmaF32), // exact, so not wrong at all
  outer_mul_add: oneSum(64, fmaF32, mulThenAdd),
  outer_fma_via_f64: oneSum(64, fmaF32, fmaViaF64),
  combined_scale: everyOutput(64, (operands) => {
    let sum = 0;
    for (let q8Block = 0; q8Block < operands.blocks * 2; q8Block++) {
      const scale = mulF32(operands.d0(q8Block >> 1), operands.d1(q8Block));
      sum = fmaF32(scale, operands.sum(32 * q8Block, 32, 128), sum);
    }
    return sum;
  }),
};

function eightLanes(rules: typeof RIGHT): Matmul {
  return everyOutput(128, (operands) => {
    const lanes: number[] = Array(8).fill(0);
    for (let lane = 0; lane < 8; lane++) {
      for (let block = 0; block < operands.blocks; block++) {
        let ab = 0;
        for (let k = 0; k < 4; k++) {
          const s = operands.sum(128 * block + 32 * k + 4 * lane, 4, rules.negated128);
          const d1 = operands.d1(4 * block + k);
          ab = k === 0 ? mulF32(d1, s) : rules.inner(d1, s, ab);
        }
        lanes[lane] = rules.outer(operands.d0(block), ab, lanes[lane]);
      }
    }
    return rules.laneSum(lanes);
  });
}

function oneSum(blockElements: 64 | 128, inner: Fused, outer: Fused): Matmul {
  // −q of a Q2_0 code 0 does not wrap: that is generic integer code. Of Q1_0 it still does.
  const negated128 = blockElements === 128 ? -128 : 128;
  const perBlock = blockElements / 32;
  return everyOutput(blockElements, (operands) => {
    let sum = 0;
    for (let block = 0; block < operands.blocks; block++) {
      let sumi = 0;
      for (let k = 0; k < perBlock; k++) {
        const q8Block = block * perBlock + k;
        sumi = inner(operands.d1(q8Block), operands.sum(32 * q8Block, 32, negated128), sumi);
      }
      sum = outer(operands.d0(block), sumi, sum);
    }
    return sum;
  });
}

function everyOutput(blockElements: 64 | 128, dot: (operands: Operands) => number): Matmul {
  return ({ rows, cols, n, weights, activations }) => {
    const w = new DataView(weights.buffer, weights.byteOffset);
    const x = new DataView(activations.buffer, activations.byteOffset);
    const bits = new Uint32Array(rows * cols);
    for (let out = 0; out < bits.length; out++) {
      const wAt = (out % rows) * (n / blockElements) * 18;
      const xAt = Math.floor(out / rows) * (n / 32) * 34;
      const code = (j: number): number => {
        const at = wAt + Math.floor(j / blockElements) * 18 + 2;
        const i = j % blockElements;
        if (blockElements === 64) return ((w.getUint8(at + (i >> 2)) >> (2 * (i & 3))) & 3) - 1;
        return ((w.getUint8(at + (i >> 3)) >> (i & 7)) & 1) === 1 ? 1 : -1;
      };
      bits[out] = bitsOfF32(dot({
        blocks: n / blockElements,
        d0: (block) => f32OfF16(w.getUint16(wAt + block * 18, true)),
        d1: (q8Block) => f32OfF16(x.getUint16(xAt + q8Block * 34, true)),
        sum: (from, count, negated128) => {
          let s = 0;
          for (let j = from; j < from + count; j++) {
            const quant = x.getInt8(xAt + (j >> 5) * 34 + 2 + (j & 31));
            const c = code(j);
            s += c === -1 && quant === -128 ? negated128 : c * quant;
          }
          return s;
        },
      }));
    }
    return bits;
  };
}
