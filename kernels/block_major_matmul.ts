/**
 * The recipes that the fast kernels of `q1_0_matmul` share, and those of `q2_0_matmul`: neighbouring
 * invocations have neighbouring rows, whose weights are neighbours in memory.
 *
 * @module
 */
import type { RuleNeed } from "../cases/family.ts";
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import type { Q2Input } from "../cases/q2_0_matmul/input.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import { packAligned, packBlockMajor, packCodes } from "./packing.ts";

/** The part of the output that a workgroup computes. */
export interface Tile {
  /** In rows. */
  readonly rows: number;
  /** In columns. */
  readonly cols: number;
}

/**
 * Bindings: 0 weight scales, 1 signs, 2 activation scales, 3 quants, 4 output,
 * 5 {rows, nb, cols, zero}. Workgroups: ceil(rows / tile.rows) by ceil(cols / tile.cols).
 */
export function blockMajorMatmul(input: Q1Input, tile: Tile): Dispatch {
  const { n, rows, cols } = input;
  const weights = packBlockMajor(input);
  const activations = packAligned(input);
  return {
    bindings: [
      { binding: 0, kind: "input", bytes: weights.weightScales },
      { binding: 1, kind: "input", bytes: weights.signs },
      { binding: 2, kind: "input", bytes: activations.activationScales },
      { binding: 3, kind: "input", bytes: activations.quants },
      { binding: 4, kind: "output", first: 0, words: rows * cols },
      { binding: 5, kind: "uniform", words: Uint32Array.of(rows, n / 128, cols, 0) },
    ],
    workgroups: [Math.ceil(rows / tile.rows), Math.ceil(cols / tile.cols), 1],
  };
}

/**
 * Bindings: 0 weight scales, 1 codes, 2 activation scales, 3 quants, 4 output,
 * 5 {rows, nb, cols, zero}. Workgroups: as {@linkcode blockMajorMatmul}.
 */
export function blockMajorQ2(input: Q2Input, tile: Tile): Dispatch {
  const { n, rows, cols } = input;
  const packed = packCodes(input);
  return {
    bindings: [
      { binding: 0, kind: "input", bytes: packed.weightScales },
      { binding: 1, kind: "input", bytes: packed.codes },
      { binding: 2, kind: "input", bytes: packed.activationScales },
      { binding: 3, kind: "input", bytes: packed.quants },
      { binding: 4, kind: "output", first: 0, words: rows * cols },
      { binding: 5, kind: "uniform", words: Uint32Array.of(rows, n / 64, cols, 0) },
    ],
    workgroups: [Math.ceil(rows / tile.rows), Math.ceil(cols / tile.cols), 1],
  };
}

/** Of a block of {@linkcode blockMajorQ2} where an output with infinities is settled: rounds of loops. */
export const SETTLE_ROUNDS = 1 + 2 * (1 + 8);

/** For texts that call dot4I8Packed. */
export const PACKED_DOT: readonly RuleNeed[] = [
  { rule: "packed_dot_signed", answer: "signed", why: "its sums are dot4I8Packed" },
];

const FUSED: readonly RuleNeed[] = [
  { rule: "fma", answer: "fused", why: "the chain is the driver's fma" },
  { rule: "fma_of_near_tie", answer: "fused", why: "the chain is the driver's fma" },
];

/** A text and its two kernels: with the built FMA, and with the driver's where that is fused. */
export function builtAndFused<Input = Q1Input>(
  kernel: Kernel<Input>,
): { built: Kernel<Input>; fused: Kernel<Input> } {
  return {
    built: kernel,
    fused: {
      ...kernel,
      name: `${kernel.name}_FUSED`,
      constants: { FUSED: 1 },
      needs: [...kernel.needs ?? [], ...FUSED],
    },
  };
}
