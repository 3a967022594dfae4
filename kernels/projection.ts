/**
 * What the recipes of 1-bit projections share: packing, bindings and shapes.
 *
 * @module
 */
import type { Projection } from "../cases/q1_projection/family.ts";
import type { Binding } from "./kernel.ts";

/** Weights that share a scale: a word of signs. */
const BLOCK = 32;
/** Rows of one workgroup where an activation that is read serves them all. */
export const ROWS_AT_ONCE = 4;

/** Bindings: 0 scales, 1 signs, 2 activations, 4 {rows, blocks in a row, cols, `last`}. */
export function projectionBindings(input: Projection, last = 0): Binding[] {
  const { n, rows, cols, x } = input;
  return [
    { binding: 0, kind: "input", bytes: allRows(input, input.scales) },
    { binding: 1, kind: "input", bytes: allRows(input, input.signs) },
    { binding: 2, kind: "input", bytes: bytesOf(x) },
    { binding: 4, kind: "uniform", words: Uint32Array.of(rows, n / BLOCK, cols, last) },
  ];
}

/** Blocks in a row. */
export function blocksOf({ n }: Projection): number {
  return n / BLOCK;
}

/** The rows that are held, one after the other until there are `rows`. */
function allRows({ n, rows }: Projection, held: Float32Array | Uint32Array): Uint8Array {
  const bytes = bytesOf(held);
  const length = rows * (n / BLOCK) * 4;
  if (bytes.length === length) return bytes;
  const all = new Uint8Array(length);
  for (let at = 0; at < length; at += bytes.length) {
    all.set(bytes.subarray(0, length - at), at);
  }
  return all;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
