/**
 * What is right: the arithmetic of the kernels on the CPU, in plain TypeScript.
 *
 * - `f32.ts`, `f16.ts`: IEEE-754 operations, each rounded once, to nearest even
 * - `exact.ts`: the same from exact integers, slowly and independently, to judge them
 * - `argmax.ts`: the first of the largest values
 * - `blocks.ts`: the packed formats and their checks
 * - `quantize_q8_0.ts`, `dequantize.ts`: into and out of packed blocks
 * - `ternary.ts`: sums of ternary weights and one-bit activations
 * - `rms_norm.ts`, `swiglu.ts`, `rope.ts`, `attention.ts`: in f64, with a bound for each element; `roundings.ts` is
 *   what bounds are made of, `exp.ts` the exponential
 * - `tame.ts`: the part of f32 that every adapter treats alike; `exp_tame.ts`,
 *   `rms_norm_exact.ts`, `swiglu_exact.ts`, `rope_exact.ts`, `softmax_exact.ts` in it
 * - `decode_layer.ts`: a layer composed of them, `attention_exact.ts` with it
 * - `rotary.ts`: tables of cosines and sines
 * - `q1_projection.ts`: signs with scales times f32, in f64 and with bounds
 * - `lm_head.ts`: such a projection and the place of its largest value
 * - `rms_norm.ts`: in f64, with a bound for each element; `roundings.ts` is what bounds are made of
 * - `q1_0.ts`, `q2_0.ts`: dot products and matrix products, bit for bit ggml's
 *
 * Bits are u32 (f32) or u16 (f16). Where a function returns bits, every NaN is 0x7fc00000.
 *
 * ```ts
 * import { dotQ1_0, f32OfBits, quantizeQ8_0 } from "./mod.ts";
 *
 * const activations = quantizeQ8_0(new Float32Array(128).fill(1));
 * const weights = new Uint8Array(18).fill(0xff);
 * weights.set([0x00, 0x3c]); // the scale 1.0, and 128 signs of +1
 * const bits = dotQ1_0(128, weights, 0, activations, 0);
 * console.log(f32OfBits(bits)); // 127.9921875: 1 / 127 as f16 is a little small
 * ```
 *
 * @module
 */

export { firstOfLargest } from "./argmax.ts";
export {
  type BlockLayout,
  blocksInRow,
  elementsInBytes,
  type MatmulInput,
  Q1_0_BLOCK,
  Q2_0_BLOCK,
  Q8_0_BLOCK,
  rowBytes,
} from "./blocks.ts";
export { dequantizeQ1_0, dequantizeQ2_0, dequantizeQ8_0 } from "./dequantize.ts";
export {
  exactDivF32,
  exactF16OfF32,
  exactF32OfF16,
  exactFmaF32,
  exactIntegerOfF32,
} from "./exact.ts";
export { f16OfF32, f32OfF16 } from "./f16.ts";
export {
  addF32,
  bitsOfF32,
  CANONICAL_NAN_BITS,
  divF32,
  f32OfBits,
  fmaF32,
  mulF32,
  sqrtF32,
} from "./f32.ts";
export { dotQ1_0, type LaneWatch, matmulQ1_0 } from "./q1_0.ts";
export { dotQ2_0, matmulQ2_0 } from "./q2_0.ts";
export { type Q8_0Column, unpackQ8_0 } from "./q8_0.ts";
export { quantizeQ8_0 } from "./quantize_q8_0.ts";
export { matmulTernary, type TernaryInput } from "./ternary.ts";
export { type InverseRoot, inverseRoot, rmsNorm, rmsNormDepth } from "./rms_norm.ts";
export {
  type BoundedValues,
  DIVISION_ROUNDINGS,
  expError,
  INVERSE_ROOT_ROUNDINGS,
  ROUNDING,
  roundings,
  SMALLEST_NORMAL,
} from "./roundings.ts";
export { EXP_F64_ERROR, expF64 } from "./exp.ts";
export { swiglu } from "./swiglu.ts";
export { attention, ATTENTION_TILE, type AttentionHead, scoreDepth } from "./attention.ts";
export { normRope, rope, type Rotation } from "./rope.ts";
export { type AttentionShape, mixExact, scoreScale, scoresExact } from "./attention_exact.ts";
export { decodeLayer, type LayerMatrix, type LayerNorm, type LayerToken } from "./decode_layer.ts";
export { expTame } from "./exp_tame.ts";
export { ropeExact } from "./rope_exact.ts";
export { type RotaryTable, rotaryTable } from "./rotary.ts";
export { softmaxExact } from "./softmax_exact.ts";
export { swigluExact } from "./swiglu_exact.ts";
export { rmsNormExact } from "./rms_norm_exact.ts";
export {
  addTame,
  divTame,
  mulTame,
  sqrtTame,
  tame,
  TAME_END,
  TAME_LEAST,
  treeSumTame,
} from "./tame.ts";
export { REFERENCE } from "./version.ts";
export {
  Q1_PROJECTION_BLOCK,
  q1Projection,
  q1ProjectionDepth,
  type Q1ProjectionInput,
} from "./q1_projection.ts";
export { lmHead, surePlace } from "./lm_head.ts";
