/**
 * The recipe that Q1_MM and Q1_MM4 share: eight invocations a row, over the aligned packing.
 *
 * @module
 */
import type { Q1Input } from "../cases/q1_0_matmul/input.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import { packAligned } from "./packing.ts";

/** Eight lanes of a row stand in one workgroup. */
export const LANES = 8;

/**
 * Bindings: 0 weight scales, 1 signs, 2 activation scales, 3 quants, 4 output,
 * 5 {rows, nb, cols, zero}. Workgroups: ceil(rows·8 / workgroup) by ceil(cols / tileCols).
 */
export function alignedMatmul(input: Q1Input, workgroup: number, tileCols: number): Dispatch {
  const { n, rows, cols } = input;
  const packed = packAligned(input);
  return {
    bindings: [
      { binding: 0, kind: "input", bytes: packed.weightScales },
      { binding: 1, kind: "input", bytes: packed.signs },
      { binding: 2, kind: "input", bytes: packed.activationScales },
      { binding: 3, kind: "input", bytes: packed.quants },
      { binding: 4, kind: "output", first: 0, words: rows * cols },
      { binding: 5, kind: "uniform", words: Uint32Array.of(rows, n / 128, cols, 0) },
    ],
    workgroups: [Math.ceil((rows * LANES) / workgroup), Math.ceil(cols / tileCols), 1],
  };
}

/** Eight neighbours a row, each for a tile of columns. */
export function alignedWorkers(tileCols: number): NonNullable<Kernel["workers"]> {
  return (row, col) => ({
    dispatch: 0,
    x: row * LANES,
    y: Math.floor(col / tileCols),
    lanes: "eight invocations",
    nth: col % tileCols,
    words: tileCols,
  });
}
