import { expect } from "expect";
import {
  bitsOfF32,
  exactF16OfF32,
  exactF32OfF16,
  f16OfF32,
  f32OfBits,
  f32OfF16,
} from "../../reference/mod.ts";
import { mulberry32 } from "./mulberry32.ts";
import { hex } from "./words.ts";

function firstWrongF16(words: Iterable<number>): string | undefined {
  for (const word of words) {
    const actual = f16OfF32(f32OfBits(word)), expected = exactF16OfF32(word);
    if (actual !== expected) return `${hex(word)} gave ${hex(actual)}, not ${hex(expected)}`;
  }
}

Deno.test("all 65,536 f16 codes widen exactly and come back", () => {
  for (let code = 0; code < 65_536; code++) {
    const word = bitsOfF32(f32OfF16(code));
    if (word !== exactF32OfF16(code)) throw new Error(`f16 ${hex(code)} widened to ${hex(word)}`);
    const isNaNCode = (code & 0x7fff) > 0x7c00;
    const back = f16OfF32(f32OfF16(code));
    if (back !== (isNaNCode ? 0x7e00 : code) || back !== exactF16OfF32(word)) {
      throw new Error(`f16 ${hex(code)} came back as ${hex(back)}`);
    }
  }
});

Deno.test("f16 narrows right on, just below and just above every halfway point", () => {
  function* nearHalfway(): Generator<number> {
    for (let code = 0; code < 0x7c00; code++) {
      // The last place of the code in f32's terms; 2^16 stands beyond the largest finite code.
      const low = f32OfF16(code);
      const high = code === 0x7bff ? 65_536 : f32OfF16(code + 1);
      const word = bitsOfF32((low + high) / 2); // exact: one bit more than f16 holds
      for (const near of [word - 1, word, word + 1]) {
        yield near;
        yield near + 0x80000000;
      }
    }
  }
  expect(firstWrongF16(nearHalfway())).toBe(undefined);
});

Deno.test("f16 narrows right on random words and at the ends", () => {
  const random = mulberry32(16);
  expect(firstWrongF16(Array.from({ length: 200_000 }, random))).toBe(undefined);
  const narrowRange = Array.from({ length: 200_000 }, () => {
    const word = random();
    // Exponents around f16's: from far below its subnormals to just beyond its largest.
    return (word & 0x807fffff) | ((96 + (random() % 50)) << 23);
  }).map((word) => word >>> 0);
  expect(firstWrongF16(narrowRange)).toBe(undefined);
  expect(f16OfF32(65_519.99609375)).toBe(0x7bff);
  expect(f16OfF32(65_520)).toBe(0x7c00);
  expect(f16OfF32(-65_520)).toBe(0xfc00);
  expect(f16OfF32(2 ** -25)).toBe(0);
  expect(f16OfF32(f32OfBits(0x33000001))).toBe(1);
  expect(f16OfF32(NaN)).toBe(0x7e00);
});
