/**
 * The operations on tame numbers, on the CPU and on the GPU, against exact rationals: on their ends,
 * on products and sums that come near those, and on random numbers.
 */
import { expect } from "expect";
import { below, mulberry32, type Random } from "../../cases/random.ts";
import { highWord, lowWord, wordOfExponent } from "../../cases/tame_words.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { exactDivF32, exactFmaF32 } from "../../reference/exact.ts";
import { bitsOfF32, f32OfBits } from "../../reference/f32.ts";
import { addTame, divTame, mulTame, sqrtTame, tame, treeSumTame } from "../../reference/tame.ts";
import { onGpu } from "../support/function_on_gpu.ts";

const NAN = 0x7fc00000;

/** The definition, on bits. */
function tameBits(bits: number): number {
  const exponent = (bits >>> 23) & 255;
  return exponent < 2 ? 0 : exponent > 253 ? NAN : bits;
}

/** Words whose product, or quotient, is near an end. */
function nearEnd(random: Random): [number, number] {
  const first = 2 + below(random, 252);
  const end = below(random, 2) === 0 ? 2 : 253;
  const a = wordOfExponent(random, first, first + 1);
  const other = Math.min(253, Math.max(2, 127 + end - first + below(random, 3) - 1));
  const b = wordOfExponent(random, other, other + 1);
  return below(random, 2) === 0 ? [a, b] : [a, bitsOfF32(Math.fround(1 / f32OfBits(b)))];
}

/** Words whose sum cancels to a little, or to nothing. */
function cancelling(random: Random): [number, number] {
  const a = wordOfExponent(random, 2, 60);
  const b = (a ^ 0x80000000) + below(random, 5) - 2;
  return [a, b >>> 0];
}

const PAIRS = (() => {
  const random = mulberry32(7);
  const list: [number, number][] = [];
  for (let i = 0; i < 4000; i++) {
    list.push(
      [wordOfExponent(random, 2, 254), wordOfExponent(random, 2, 254)],
      [wordOfExponent(random, 120, 134), wordOfExponent(random, 120, 134)],
      nearEnd(random),
      cancelling(random),
      [lowWord(random), highWord(random)],
      [highWord(random), wordOfExponent(random, 0, 256)],
      [lowWord(random), lowWord(random)],
    );
  }
  return Uint32Array.from(list.flat(), tameBits);
})();
const COUNT = PAIRS.length / 2;

/** floor(√x) by Newton's method. */
function integerRoot(x: bigint): bigint {
  let root = 1n << BigInt((x.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The root of a tame number that is not below 0, rounded once: from its integer of 60 bits. */
function exactRoot(bits: number): number {
  if (bits === 0 || bits === NAN) return bits;
  const exponent = (bits >>> 23) - 150;
  const isOdd = exponent & 1;
  const root = integerRoot(BigInt((bits & 0x7fffff) | 0x800000) << BigInt(36 + isOdd));
  // The root has 30 or 31 bits: more than 24, and what follows it can be no tie.
  return bitsOfF32(Math.fround(Number(root) + 0.25) * 2 ** ((exponent - isOdd - 36) / 2));
}

const exactly = {
  add: (a: number, b: number) => a === NAN || b === NAN ? NAN : exactFmaF32(a, 0x3f800000, b),
  mul: (a: number, b: number) => a === NAN || b === NAN ? NAN : exactFmaF32(a, b, 0),
  div: (a: number, b: number) => b === 0 || a === NAN || b === NAN ? NAN : exactDivF32(a, b),
  sqrt: (a: number) => exactRoot(a & (a === NAN ? a : 0x7fffffff)),
};
const OPERATIONS = [
  { name: "add", reference: addTame, call: "add_tame(a, b)" },
  { name: "mul", reference: mulTame, call: "mul_tame(a, b)" },
  { name: "div", reference: divTame, call: "div_tame(a, b)" },
  {
    name: "sqrt",
    reference: (a: number) => sqrtTame(Math.abs(a)),
    call: "sqrt_tame(a & 0x7fffffffu)",
  },
] as const;

for (const { name, reference, call } of OPERATIONS) {
  const expected = Uint32Array.from(
    { length: COUNT },
    (_, i) => tameBits(exactly[name](PAIRS[2 * i]!, PAIRS[2 * i + 1]!)),
  );

  Deno.test(`${name} of ${COUNT} pairs: the reference is the exact judge's`, () => {
    const found = Uint32Array.from(
      { length: COUNT },
      (_, i) => bitsOfF32(reference(f32OfBits(PAIRS[2 * i]!), f32OfBits(PAIRS[2 * i + 1]!))),
    );
    expect(found).toEqual(expected);
    // All kinds of results are among them.
    expect(expected.filter((word) => word === 0).length).toBeGreaterThan(2000);
    expect(expected.filter((word) => word === NAN).length).toBeGreaterThan(2000);
    expect(expected.filter((word) => word >>> 23 === 2).length).toBeGreaterThan(
      name === "sqrt" ? -1 : 30,
    );
  });

  const [{ text }] = KERNELS.filter(({ text }) => text.includes(`fn ${name}_tame(`));
  Deno.test(`${name} of the same pairs on the GPU`, async () => {
    const found = await onGpu(text, call, PAIRS);
    const wrong = [...found.keys()].filter((i) => found[i] !== expected[i]);
    expect(wrong.slice(0, 5).map((i) => [PAIRS[2 * i], PAIRS[2 * i + 1], found[i], expected[i]]))
      .toEqual([]);
    expect(found.length).toBe(COUNT);
  });
}

Deno.test("tame, by hand", () => {
  expect([-0, 1e-45, 2 ** -126, 2 ** -125 * (1 - 2 ** -24)].map(tame).map(bitsOfF32))
    .toEqual([0, 0, 0, 0]);
  expect([2 ** -125, -(2 ** -125), 1.5].map(tame)).toEqual([2 ** -125, -(2 ** -125), 1.5]);
  expect(tame(2 ** 127 * (1 - 2 ** -24))).toBe(2 ** 127 * (1 - 2 ** -24));
  expect([2 ** 127, -Infinity, NaN].map(tame)).toEqual([NaN, NaN, NaN]);
});

Deno.test("a tree's order shows: each of its steps is rounded where it must be", () => {
  // 2^24 + 1 is a tie that goes to 2^24: so 1 is lost unless another 1 joins it first.
  const values = new Float32Array(130);
  values[0] = 2 ** 24;
  values[64] = 1;
  values[128] = 1; // one chain, one after the other: both are lost
  expect(treeSumTame(values)).toBe(2 ** 24);
  values.fill(0, 1);
  values[16] = values[48] = 1; // chains 16 and 48 meet before they meet chain 0
  expect(treeSumTame(values)).toBe(2 ** 24 + 2);
  values.fill(0, 1);
  values[32] = values[16] = 1; // chain 0 meets 32 and then 16
  expect(treeSumTame(values)).toBe(2 ** 24);
  expect(treeSumTame(Float32Array.of(1, NaN, 3))).toBe(NaN);
});
