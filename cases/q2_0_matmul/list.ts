/**
 * The cases of `q2_0_matmul` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { QUANTS, SCALES } from "../q1_0_matmul/fills.ts";
import { CODES } from "./draw.ts";

export const FAMILY = "q2_0_matmul";

// Around a workgroup of 64 rows; odd and even numbers of blocks; one column and several.
const TILE_ROWS = [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129];
const TILE_N = [64, 128, 192, 320];
// To Bonsai's widest, in odd and even numbers of blocks.
const LONG_N = [2048, 2112, 4096, 6144, 12_288];

interface Edge {
  n?: number;
  cols?: number;
  w?: string;
  codes?: string;
  a?: string;
  quants?: string;
}

function edges(): Edge[] {
  return [
    ...Object.keys(SCALES).flatMap((kind) => [{ w: kind }, { a: kind }]),
    ...Object.keys(CODES).flatMap((codes) => [
      { codes },
      { codes, quants: "m128" },
      { codes, w: "any", a: "any" },
    ]),
    ...Object.keys(QUANTS).map((quants) => ({ quants })),
    { w: "infinite", a: "zeros" },
    { w: "infinite", a: "infinite" },
    { w: "special", a: "special", codes: "threes", quants: "p127" },
    { w: "largest", a: "largest", codes: "threes", quants: "m128" },
    { w: "smallest", a: "smallest", codes: "one_hot", quants: "one_hot" },
    { w: "zeros", a: "infinite" },
    { codes: "none", a: "infinite" },
    // Columns that infinities are in, and columns beside them that they are not.
    { n: 64, cols: 16, a: "infinite" },
    { n: 128, cols: 17, a: "special" },
  ];
}

const layer = (model: string, matrix: string, cols = 1) =>
  addressOf(FAMILY, "layer", { model, matrix, cols, seed: 500 + cols });

/** Matrices of the smallest model, a few tokens at once in one of them; the widest of the largest. */
const LAYERS = [
  layer("1.7B", "attn_q"),
  layer("1.7B", "attn_k", 5),
  layer("1.7B", "ffn_gate"),
  layer("1.7B", "ffn_down"),
  layer("1.7B", "output"),
  layer("8B", "ffn_gate"),
];

/** Those that are timed. */
export const q2TimedAddresses = (): string[] => LAYERS;

/** Every address of the family. */
export function q2Addresses(): string[] {
  const shaped = (group: string, rows: number, n: number, cols: number, seed: number) =>
    addressOf(FAMILY, group, { rows, n, cols, seed });
  return [
    ...TILE_ROWS.map((rows, i) => shaped("tile", rows, TILE_N[i % 4]!, 1 + i % 5, 100 + i)),
    ...LONG_N.map((n, i) => shaped("tile", 5, n, 2, 200 + i)),
    // Two workgroups of 256 rows and two tiles of four columns, not full.
    shaped("tile", 257, 1088, 5, 210),
    // One, not full.
    shaped("tile", 200, 192, 3, 211),
    // Rows of two subgroups, of more blocks than Q2_WHOLE holds at a time.
    shaped("tile", 40, 6144, 1, 212),
    ...edges().map((given, i) =>
      addressOf(FAMILY, "edge", {
        rows: 9,
        n: 256,
        cols: 3,
        w: "engine",
        codes: "random",
        a: "engine",
        quants: "engine",
        ...given,
        seed: 300 + i,
      })
    ),
    ...[[1, 128, 1], [33, 128, 8], [65, 256, 9], [9, 2048, 17], [3, 12_288, 8]].map(
      ([rows, n, cols], i) => shaped("trap", rows!, n!, cols!, 400 + i),
    ),
    ...[[1, 128, 6], [34, 256, 12], [5, 4096, 6]].map(
      ([rows, n, cols], i) => shaped("odd", rows!, n!, cols!, 600 + i),
    ),
    ...LAYERS,
  ];
}
