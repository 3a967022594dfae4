import assert from "assert";
import { expect } from "expect";
import {
  exactDivF32,
  exactF16OfF32,
  exactFmaF32,
  exactIntegerOfF32,
  f32OfBits,
  quantizeQ8_0,
} from "../../reference/mod.ts";
import { specialWords } from "./fma_triples.ts";
import { mulberry32 } from "./mulberry32.ts";

const BITS_127 = 0x42fe0000, MINUS_ZERO = 0x80000000;

/** One block, from exact.ts alone, on bits. */
function judgedBlock(words: readonly number[]): number[] {
  const magnitudes = words.map((word) => word & 0x7fffffff);
  const amax = Math.max(0, ...magnitudes.filter((word) => word <= 0x7f800000));
  const scaleF16 = exactF16OfF32(exactDivF32(amax, BITS_127));
  const factor = amax === 0 ? 0 : exactDivF32(BITS_127, amax);
  const quants = words.map((word) => {
    const product = exactFmaF32(word, factor, MINUS_ZERO);
    if ((product & 0x7f800000) === 0x7f800000) return 0x80; // infinity either way, and NaN: −128
    const integer = Number(exactIntegerOfF32(product));
    return Math.max(-128, Math.min(127, integer)) & 0xff;
  });
  return [scaleF16 & 0xff, scaleF16 >> 8, ...quants];
}

Deno.test("quantizeQ8_0 equals the exact judge, block by block", () => {
  const random = mulberry32(8);
  const pick = (words: readonly number[]): number => words[random() % words.length];
  const finite = specialWords.filter((word) => (word & 0x7f800000) !== 0x7f800000);
  let amax = 0;
  const kinds: Record<string, (i: number) => number> = {
    ordinary: () => (random() & 0x80ffffff | 0x3f000000) >>> 0,
    anyWord: () => random(),
    // 127 · 2^k is the largest, so that x · id is exactly an integer and a half
    ties: (i) => {
      const x = i === 0 ? 127 : (random() % 127) + 0.5;
      return new Uint32Array(Float32Array.of((random() & 1 ? x : -x) / 64).buffer)[0];
    },
    // x · id within a unit in the last place of an integer and a half: any other factor shows
    besideTies: (i) => {
      if (i === 0) amax = f32OfBits((random() & 0x7fffff | 0x3f800000) >>> 0);
      const x = Math.fround(i === 0 ? amax : (random() % 127 + 0.5) * amax / 127);
      const word = new Uint32Array(Float32Array.of(x).buffer)[0];
      return i === 0 ? word : word + random() % 3 - 1;
    },
    subnormal: () => (random() & 0x807fffff) >>> 0,
    // amax around 127 / (largest finite), where the factor becomes infinite
    factorEnds: () => (random() & 0x807fffff | 0x03000000 + ((random() & 3) << 22)) >>> 0,
    finiteSpecial: () => pick(finite),
    special: () => pick(specialWords),
    zeros: () => random() & 1 ? 0 : MINUS_ZERO,
    nan: (i) => i % 3 === 0 ? 0x7fc00000 : random() >>> 2,
  };
  for (const [kind, make] of Object.entries(kinds)) {
    for (let trial = 0; trial < 300; trial++) {
      const words = Array.from({ length: 32 }, (_, i) => make(i));
      const actual = Array.from(quantizeQ8_0(Float32Array.from(words, f32OfBits)));
      assert.deepEqual(actual, judgedBlock(words), `${kind}, block ${trial}`);
    }
  }
});

Deno.test("quantizeQ8_0 at its corners", () => {
  const block = (...values: number[]): Uint8Array => {
    const padded = new Float32Array(32);
    padded.set(values);
    return quantizeQ8_0(padded);
  };
  expect([...block(127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5).subarray(0, 9)])
    .toEqual([0x00, 0x3c, 127, 0, 2, 2, 0, 254, 254]);
  expect(new Set(block().subarray(0))).toEqual(new Set([0]));
  // The factor overflows: 127 / 2^-149. Even +x and 0 · infinity become −128.
  expect(new Set(block(2 ** -149).subarray(2))).toEqual(new Set([0x80]));
  expect([...block(NaN, 127).subarray(0, 5)]).toEqual([0x00, 0x3c, 0x80, 127, 0]);
  expect([...block(Infinity, 127).subarray(0, 5)]).toEqual([0x00, 0x7c, 0x80, 0, 0]);
});
