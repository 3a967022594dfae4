/**
 * The case that ggml's Q2_0 vectors lack: outer products on which an FMA by way of f64 rounds
 * twice. The expected bits come from exact.ts.
 */

import { expect } from "expect";
import {
  bitsOfF32,
  dotQ2_0,
  exactFmaF32,
  f16OfF32,
  f32OfBits,
  matmulQ2_0,
} from "../../reference/mod.ts";
import { mulberry32 } from "./mulberry32.ts";
import { countDifferent } from "./words.ts";
import { wrongQ2_0 } from "./wrong_arithmetics.ts";

/** Of all weights 31 are +2 and one is +1, so that 32 quants can sum to any s up to 4,095. */
function weightBlock(scale: number): number[] {
  const scaleF16 = f16OfF32(scale);
  const ofThirtyTwo = [255, 255, 255, 255, 255, 255, 255, 0b10_11_11_11];
  return [scaleF16 & 255, scaleF16 >> 8, ...ofThirtyTwo, ...ofThirtyTwo];
}

function quantBlock(scale: number, s: number): number[] {
  const scaleF16 = f16OfF32(scale);
  const quants = Array(32).fill(0);
  let left = s >> 1;
  for (let j = 0; left > 0; j++) left -= quants[j] = Math.min(left, 127);
  quants[31] = s & 1;
  return [scaleF16 & 255, scaleF16 >> 8, ...quants];
}

Deno.test("Q2_0 rounds its outer product once where f64 would round twice", () => {
  const random = mulberry32(42);
  let trials = 0, viaF64Wrong = 0;
  for (let d0 = 1025; d0 < 2048; d0 += 2) {
    // d0 · target is 2^34 + residue: half a last place of the first block's sum and a little more
    // or less, which f64 cannot hold beside that sum.
    const target = Math.round(2 ** 34 / d0);
    if (Math.abs(d0 * target - 2 ** 34) > 15) continue;
    for (let repeat = 0; repeat < 8; repeat++) {
      const first = 2 ** 23 + (random() >>> 9);
      const activations = Uint8Array.from([
        ...quantBlock(2 ** 11, first >>> 12),
        ...quantBlock(2 ** -1, first & 4095),
        ...quantBlock(1, target >>> 12),
        ...quantBlock(2 ** -12, target & 4095),
      ]);
      const weights = Uint8Array.from([...weightBlock(1), ...weightBlock(d0 * 2 ** -24)]);
      const input = { rows: 1, cols: 1, n: 128, weights, activations };
      const expected = exactFmaF32(
        bitsOfF32(d0 * 2 ** -24),
        bitsOfF32(target * 2 ** -12),
        bitsOfF32(first / 2),
      );
      expect(matmulQ2_0(input)[0]).toBe(expected);
      expect(dotQ2_0(128, weights, 0, activations, 0)).toBe(expected);
      viaF64Wrong += countDifferent(
        wrongQ2_0.outer_fma_via_f64(input),
        Uint32Array.of(expected),
      );
      expect(f32OfBits(expected)).toBeGreaterThan(2 ** 22);
      trials++;
    }
  }
  expect(trials).toBeGreaterThan(40);
  expect(viaF64Wrong).toBeGreaterThan(trials / 4);
});
