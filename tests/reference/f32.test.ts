import { expect } from "expect";
import {
  addF32,
  bitsOfF32,
  divF32,
  exactDivF32,
  exactFmaF32,
  f32OfBits,
  fmaF32,
  mulF32,
} from "../../reference/mod.ts";
import {
  productBesideHalf,
  productHalfway,
  relatedExponents,
  specialWords,
  type Triple,
} from "./fma_triples.ts";
import { mulberry32 } from "./mulberry32.ts";
import { hex } from "./words.ts";

const ONE = 0x3f800000, MINUS_ZERO = 0x80000000;

function assertFma(triple: Triple): number {
  const [a, b, c] = triple;
  const actual = bitsOfF32(fmaF32(f32OfBits(a), f32OfBits(b), f32OfBits(c)));
  const expected = exactFmaF32(a, b, c);
  if (actual !== expected) {
    throw new Error(`fma(${triple.map(hex)}) gave ${hex(actual)}, not ${hex(expected)}`);
  }
  return expected;
}

function naiveIsWrong([a, b, c]: Triple, expected: number): boolean {
  return bitsOfF32(Math.fround(f32OfBits(a) * f32OfBits(b) + f32OfBits(c))) !== expected;
}

Deno.test("fmaF32 on constructed triples at and beside halfway, where the naive form fails", () => {
  const random = mulberry32(1);
  const kinds: Record<string, (residue: -1 | 0 | 1) => Triple> = {
    "product halfway": (residue) => productHalfway(random, residue),
    "normal result": (residue) => productBesideHalf(random, residue, (random() % 200) - 100),
    "subnormal result": (residue) => productBesideHalf(random, residue, -149),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    for (const residue of [-1, 0, 1] as const) {
      let naiveWrong = 0, subnormal = 0;
      for (let trial = 0; trial < 4_000; trial++) {
        const triple = make(residue);
        const expected = assertFma(triple);
        if (naiveIsWrong(triple, expected)) naiveWrong++;
        if ((expected & 0x7f800000) === 0) subnormal++;
      }
      // An exact tie is no trap; beside one, the tie rule is the wrong way half of the time.
      if (residue === 0) expect(naiveWrong).toBe(0);
      else expect(`${kind} ${naiveWrong > 1_400}`).toBe(`${kind} true`);
      if (kind === "subnormal result") expect(subnormal).toBeGreaterThan(3_900);
    }
  }
});

Deno.test("fmaF32 on the cross product of special values", () => {
  for (const a of specialWords) {
    for (const b of specialWords) {
      for (const c of specialWords) assertFma([a, b, c]);
    }
  }
});

Deno.test("fmaF32 on a million random triples", () => {
  const random = mulberry32(2);
  const results = { infinite: 0, subnormal: 0, zero: 0 };
  for (let trial = 0; trial < 1_000_000; trial++) {
    const word = assertFma(
      trial % 4 === 0 ? [random(), random(), random()] : relatedExponents(random),
    ) & 0x7fffffff;
    if (word === 0x7f800000) results.infinite++;
    else if (word === 0) results.zero++;
    else if (word < 0x00800000) results.subnormal++;
  }
  expect(results.infinite).toBeGreaterThan(10_000);
  expect(results.subnormal).toBeGreaterThan(1_000);
  expect(results.zero).toBeGreaterThan(1_000);
});

Deno.test("addF32, mulF32 and divF32 on special and random words", () => {
  const random = mulberry32(3);
  const pairs = specialWords.flatMap((a) => specialWords.map((b) => [a, b]));
  for (let trial = 0; trial < 100_000; trial++) {
    const [a, b, c] = trial % 2 === 0 ? [random(), random(), 0] : relatedExponents(random);
    pairs.push([a, trial % 4 === 3 ? c : b]);
  }
  for (const [aBits, bBits] of pairs) {
    const a = f32OfBits(aBits), b = f32OfBits(bBits);
    const actual = [addF32(a, b), mulF32(a, b), divF32(a, b)].map(bitsOfF32);
    const expected = [
      exactFmaF32(aBits, ONE, bBits),
      exactFmaF32(aBits, bBits, MINUS_ZERO), // −0 changes no product, not even +0
      exactDivF32(aBits, bBits),
    ];
    if (actual.some((word, i) => word !== expected[i])) {
      throw new Error(
        `+ · / of ${hex(aBits)} and ${hex(bBits)} gave ${actual.map(hex)}, ` +
          `not ${expected.map(hex)}`,
      );
    }
  }
});

Deno.test("f32 bits go both ways, and every NaN is the canonical one", () => {
  const random = mulberry32(4);
  for (const word of [...specialWords, ...Array.from({ length: 10_000 }, random)]) {
    const isNaNWord = (word & 0x7fffffff) > 0x7f800000;
    if (bitsOfF32(f32OfBits(word)) !== (isNaNWord ? 0x7fc00000 : word)) {
      throw new Error(`${hex(word)} came back as ${hex(bitsOfF32(f32OfBits(word)))}`);
    }
  }
  expect(bitsOfF32(-0)).toBe(MINUS_ZERO);
  expect(bitsOfF32(NaN)).toBe(0x7fc00000);
});
