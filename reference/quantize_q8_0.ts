/**
 * Quantizing activations to q8_0 as ggml's AVX2 path does. ggml's other variant (1/d, ties away
 * from zero) gives other bits.
 *
 * Source: ggml, quantize_row_q8_0 for x86; held by its vectors and by exact.ts.
 */

import { blocksInRow, Q8_0_BLOCK, rowBytes } from "./blocks.ts";
import { addF32, divF32, mulF32 } from "./f32.ts";
import { f16OfF32 } from "./f16.ts";

const I32_MIN = -(2 ** 31);

/**
 * Packs f32 values as q8_0 blocks: 34 bytes for each 32 values, in order.
 *
 * For each block: amax is the largest |x|, which a NaN never is; the stored scale is amax / 127
 * rounded to f32, then to f16; each quant is x · (127 / amax) with both operations rounded, then
 * rounded to an integer, ties to even. A block whose amax is 0 has the factor 0. Where amax is
 * below about 3.7e-37 the factor is infinite and every quant is −128, zeros included.
 *
 * @throws {RangeError} if the number of values is not a positive multiple of 32
 */
export function quantizeQ8_0(values: Float32Array): Uint8Array {
  const packed = new Uint8Array(rowBytes(Q8_0_BLOCK, values.length));
  const { bytes, elements } = Q8_0_BLOCK;
  for (let block = 0; block < blocksInRow(Q8_0_BLOCK, values.length); block++) {
    const from = block * elements;
    const at = block * bytes;
    const amax = largestMagnitude(values, from, from + elements);
    const scaleF16 = f16OfF32(divF32(amax, 127));
    packed[at] = scaleF16 & 0xff;
    packed[at + 1] = scaleF16 >> 8;
    const factor = amax === 0 ? 0 : divF32(127, amax);
    for (let j = 0; j < elements; j++) {
      packed[at + 2 + j] = quantOf(mulF32(values[from + j], factor)); // wraps to unsigned
    }
  }
  return packed;
}

function largestMagnitude(values: Float32Array, from: number, to: number): number {
  let amax = 0;
  for (let j = from; j < to; j++) {
    const magnitude = Math.abs(values[j]);
    if (magnitude > amax) amax = magnitude; // false for NaN
  }
  return amax;
}

/** An f32 as a signed byte: through i32, then saturated, as the vector instructions do it. */
function quantOf(x: number): number {
  return Math.max(-128, Math.min(127, i32OfF32(x)));
}

/**
 * An f32 to the nearest i32, ties to even. What no i32 holds (NaN, the infinities, and large values
 * of either sign) gives −2^31, as x86's conversion does: so +infinity becomes the quant −128.
 */
function i32OfF32(x: number): number {
  if (!(x >= I32_MIN && x < -I32_MIN)) return I32_MIN;
  const magnitude = Math.abs(x);
  if (magnitude >= 2 ** 23) return x; // an integer already
  // From 2^23 on the last place of an f32 is 1: the first addition rounds, the second is exact.
  const rounded = addF32(addF32(magnitude, 2 ** 23), -(2 ** 23));
  return x < 0 ? -rounded : rounded;
}
