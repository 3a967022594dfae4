/**
 * Rows of a real model's weights, stored with the golden, and activations drawn for them.
 *
 * @module
 */
import { quantizeQ8_0 } from "../../reference/quantize_q8_0.ts";
import { type Address, AddressError, formatAddress, wholeParameter } from "../address.ts";
import type { MatrixShape } from "../bonsai.ts";
import { below, mulberry32, type Random } from "../random.ts";
import { type Q1Input, Q8_BLOCK } from "./input.ts";

export function modelShape(address: Address): MatrixShape {
  wholeParameter(address, "first", 0);
  return { rows: wholeParameter(address, "rows"), n: wholeParameter(address, "n") };
}

/** @param stored the rows' bytes, as the model's file holds them */
export function drawModelRows(
  address: Address,
  { rows, n }: MatrixShape,
  cols: number,
  seed: number,
  stored?: Uint8Array,
): Q1Input {
  if (!stored) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": its weights are a model's, stored with a ` +
        "golden, and there is no such golden. Make it where the model is: " +
        "deno task cases --model FILE.gguf --tensor NAME --rows FIRST-LAST",
    );
  }
  const columnBytes = n / 32 * Q8_BLOCK;
  const activations = new Uint8Array(cols * columnBytes);
  for (let col = 0; col < cols; col++) {
    const random = mulberry32(col === 0 ? seed : 100 * seed + col);
    activations.set(quantizeQ8_0(drawColumn(n, random)), col * columnBytes);
  }
  return { n, rows, cols, distinctRows: rows, weights: stored, activations };
}

/**
 * What enters a layer: bell-shaped, with magnitudes that change from block to block. A block's
 * largest value lies between 2^-4 and 2^6, so that scales are those of the group `layer`.
 */
function drawColumn(n: number, random: Random): Float32Array {
  const values = new Float32Array(n);
  for (let block = 0; block < n; block += 32) {
    const step = 2 ** (below(random, 10) - 3 - 17);
    // Four draws of 16 bits, less their middle: 18 bits, exact in f32.
    for (let i = 0; i < 32; i++) {
      let sum = -131_070;
      for (let draw = 0; draw < 4; draw++) sum += random() >>> 16;
      values[block + i] = sum * step;
    }
  }
  return values;
}
