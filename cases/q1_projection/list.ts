/**
 * The cases of `q1_projection` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { BONSAI } from "../bonsai.ts";
import { ACTIVATIONS, type Fills, SCALES, SIGNS } from "./draw.ts";

export const FAMILY = "q1_projection";

// Around tiles of 4 rows and of a workgroup's 8 to 64, of 4 columns, and of 8 blocks of 32 weights.
const ROWS = [1, 3, 4, 5, 7, 8, 9, 31, 33, 63, 64, 65, 129];
const LENGTHS = [32, 64, 96, 224, 256, 288];
// Around a workgroup of 64 blocks, to Bonsai's widest.
const LONG = [2016, 2048, 2080, 4128, 6144, 12_288];

const ORDINARY: Fills = { signs: "random", scales: "layer", x: "hidden" };

function edges(): Fills[] {
  return [
    ...Object.keys(SIGNS).map((signs) => ({ ...ORDINARY, signs })),
    ...Object.keys(SCALES).map((scales) => ({ ...ORDINARY, scales })),
    ...Object.keys(ACTIVATIONS).map((x) => ({ ...ORDINARY, x })),
    { signs: "plus", scales: "ones", x: "cancel" },
    { signs: "random", scales: "powers", x: "integers" },
    { signs: "random", scales: "tiny", x: "tiny" },
    { signs: "random", scales: "neighbours", x: "spread" },
  ];
}

/** Every address of the family. */
export function projectionAddresses(): string[] {
  const tile = (rows: number, n: number, cols: number, seed: number) =>
    addressOf(FAMILY, "tile", { rows, n, cols, seed });
  const layer = (model: string, matrix: string, cols: number) =>
    addressOf(FAMILY, "layer", { model, matrix, cols, seed: 400 + cols });
  return [
    ...ROWS.map((rows, i) => tile(rows, LENGTHS[i % 6]!, 1 + i % 5, 100 + i)),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((cols) => tile(5, 64, cols, 200 + cols)),
    ...LONG.map((n, i) => tile(6, n, 1 + i % 2, 300 + i)),
    ...edges().map((fills, i) =>
      addressOf(FAMILY, "edge", { rows: 9, n: 320, cols: 2, ...fills, seed: 500 + i })
    ),
    layer("1.7B", "attn_k", 1),
    ...Object.keys(BONSAI).flatMap((model) =>
      ["attn_q", "ffn_gate", "ffn_down"].map((matrix) => layer(model, matrix, 1))
    ),
    layer("1.7B", "attn_q", 9),
    layer("1.7B", "ffn_gate", 16),
  ];
}
