/**
 * The cases of `dequantize` and `embedding` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { SCALES } from "../q1_0_matmul/fills.ts";
import { BYTES, FORMATS } from "./input.ts";

// In blocks, and rows: around a workgroup of 64 values.
const BLOCKS = [1, 2, 3, 5, 16, 17];
const ROWS = [33, 7, 3, 2, 1, 2];
// The width of Bonsai 1.7B and 8B.
const WIDTHS = [2048, 4096];

export function dequantizeAddresses(): string[] {
  return Object.entries(FORMATS).flatMap(([format, { layout }], f) => {
    const address = (group: string, n: number, rows: number, w: string, bytes: string, i: number) =>
      addressOf("dequantize", group, { format, n, rows, w, bytes, seed: 1000 * f + i });
    return [
      ...BLOCKS.map((blocks, i) =>
        address("size", blocks * layout.elements, ROWS[i]!, "any", "random", 100 + i)
      ),
      ...Object.keys(SCALES).map((w, i) => address("edge", 128, 2, w, "random", 200 + i)),
      ...Object.keys(BYTES).map((bytes, i) => address("edge", 128, 2, "special", bytes, 300 + i)),
      ...Object.keys(BYTES).map((bytes, i) => address("edge", 128, 2, "any", bytes, 400 + i)),
      ...WIDTHS.map((n, i) => address("layer", n, 2, "layer_weights", "random", 500 + i)),
    ];
  });
}

export function embeddingAddresses(): string[] {
  return Object.keys(FORMATS).flatMap((format, f) => {
    const address = (group: string, rows: number, n: number, tokens: number, i: number) =>
      addressOf("embedding", group, { format, rows, n, tokens, seed: 1000 * f + i });
    return [
      ...[[1, 1], [1, 3], [2, 5], [7, 1], [33, 5], [64, 65]].map(([rows, tokens], i) =>
        address("size", rows!, 128, tokens!, 100 + i)
      ),
      ...WIDTHS.map((n, i) => address("layer", 512, n, 2, 200 + i)),
    ];
  });
}
