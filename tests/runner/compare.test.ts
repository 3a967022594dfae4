/** Comparing words, and telling what is wrong with them. */
import { expect } from "expect";
import { compareOutput } from "../../tools/runner/compare.ts";
import { GUARD_WORDS, overrunWords, poison, poisonFor } from "../../tools/runner/poison.ts";
import { isNaNWord, sameWord, ulpDistance, wordDistance } from "../../tools/runner/words.ts";

const ONE = 0x3f800000;
const QUIET_NAN = 0x7fc00000;
const SIGNALLING_NAN = 0xff800001;
const INFINITY = 0x7f800000;
const MINUS_ZERO = 0x80000000;

Deno.test("words are equal by all bits, and NaN equals NaN", () => {
  expect(sameWord(ONE, ONE, "f32")).toBe(true);
  expect(sameWord(ONE, ONE + 1, "f32")).toBe(false);
  expect(sameWord(0, MINUS_ZERO, "f32")).toBe(false);
  expect(sameWord(QUIET_NAN, SIGNALLING_NAN, "f32")).toBe(true);
  expect(sameWord(QUIET_NAN, INFINITY, "f32")).toBe(false);
  expect([INFINITY, 0xff800000].map(isNaNWord)).toEqual([false, false]);
});

Deno.test("distances count the f32 between two words", () => {
  expect(ulpDistance(ONE, ONE + 3)).toBe(3);
  expect(ulpDistance(MINUS_ZERO, 0)).toBe(1);
  expect(ulpDistance(MINUS_ZERO + 1, 1)).toBe(3); // smallest subnormals: past both zeros
  expect(ulpDistance(0xff7fffff, 0x7f7fffff)).toBe(2 * 0x7f7fffff + 1);
  expect(ulpDistance(QUIET_NAN, ONE)).toBeUndefined();
});

Deno.test("integers are equal by all bits, also where they look like a NaN", () => {
  expect(sameWord(QUIET_NAN, SIGNALLING_NAN, "u32")).toBe(false);
  expect(sameWord(SIGNALLING_NAN, SIGNALLING_NAN, "u32")).toBe(true);
  expect(wordDistance(QUIET_NAN, QUIET_NAN + 5, "u32")).toBe(5);
  expect(wordDistance(0, 0xffffffff, "u32")).toBe(0xffffffff);
  expect(wordDistance(QUIET_NAN, ONE, "f32")).toBeUndefined();
});

Deno.test("no poison ever equals the golden it stands for", () => {
  // The poisons themselves as goldens are the words that could hide one.
  const words = [ONE, 0, QUIET_NAN, SIGNALLING_NAN, INFINITY, poisonFor(ONE), poisonFor(QUIET_NAN)];
  for (const word of words) {
    expect(sameWord(word, poisonFor(word), "f32")).toBe(false);
    expect(sameWord(word, poisonFor(word), "u32")).toBe(false);
  }
});

Deno.test("guard words that were written are counted", () => {
  const expected = Uint32Array.of(ONE, QUIET_NAN);
  const slot = new Uint32Array(expected.length + GUARD_WORDS);
  poison(slot, expected);
  expect(overrunWords(slot, expected.length)).toBe(0);
  slot[expected.length] = ONE;
  slot[slot.length - 1] = QUIET_NAN;
  expect(overrunWords(slot, expected.length)).toBe(2);
});

const GRID = { rows: 4, cols: 3 };
const EXPECTED = Uint32Array.from({ length: 12 }, (_, i) => ONE + 16 * i);

/** The expected words with some of them replaced. */
function changed(changes: Record<number, number>): Uint32Array {
  const words = EXPECTED.slice();
  for (const [index, word] of Object.entries(changes)) words[Number(index)] = word;
  return words;
}

Deno.test("an output with all the right bits has no mismatch", () => {
  const repeats = [EXPECTED.slice(), EXPECTED.slice()];
  expect(compareOutput(EXPECTED, { repeats, overrun: 0 }, GRID, "f32")).toBeUndefined();
});

Deno.test("a mismatch tells place, neighbours, distance, and words not written", () => {
  const actual = changed({ 5: EXPECTED[5]! + 7, 10: poisonFor(EXPECTED[10]!) });
  expect(compareOutput(EXPECTED, { repeats: [actual], overrun: 0 }, GRID, "f32")).toMatchObject({
    words: 12,
    differing: 2,
    unwritten: 1,
    overrun: 0,
    largestUlp: 7,
    rows: [1, 2],
    first: { row: 1, col: 1, expected: EXPECTED[5], actual: EXPECTED[5]! + 7 },
    neighbours: [
      { row: 0, col: 1, expected: EXPECTED[4], actual: EXPECTED[4] },
      { row: 2, col: 1, expected: EXPECTED[6], actual: EXPECTED[6] },
      { row: 3, col: 1, expected: EXPECTED[7], actual: EXPECTED[7] },
    ],
  });
});

Deno.test("the last word counts", () => {
  const mismatch = compareOutput(
    EXPECTED,
    { repeats: [changed({ 11: ONE })], overrun: 0 },
    GRID,
    "f32",
  );
  expect(mismatch).toMatchObject({ differing: 1, first: { row: 3, col: 2 } });
});

Deno.test("a NaN in place of a number has no distance", () => {
  const mismatch = compareOutput(
    EXPECTED,
    { repeats: [changed({ 0: QUIET_NAN, 1: EXPECTED[1]! + 1 })], overrun: 0 },
    GRID,
    "f32",
  );
  expect(mismatch).toMatchObject({ differing: 2 });
  expect(mismatch).not.toHaveProperty("largestUlp");
});

Deno.test("repetitions that are not the same are a race, even where the first is right", () => {
  const output = { repeats: [EXPECTED.slice(), changed({ 3: ONE })], overrun: 0 };
  expect(compareOutput(EXPECTED, output, GRID, "f32")).toMatchObject({
    moving: { repeats: 2, words: 1 },
    differing: 1,
    first: { row: 3, col: 0 },
  });
});

Deno.test("an overrun alone is a mismatch", () => {
  const mismatch = compareOutput(
    EXPECTED,
    { repeats: [EXPECTED.slice()], overrun: 2 },
    GRID,
    "f32",
  );
  expect(mismatch).toMatchObject({ differing: 0, overrun: 2 });
});

Deno.test("a wrong integer that looks like a NaN is a mismatch of integers", () => {
  const expected = Uint32Array.of(QUIET_NAN, 1);
  const output = { repeats: [Uint32Array.of(QUIET_NAN + 3, 1)], overrun: 0 };
  const grid = { rows: 2, cols: 1 };
  expect(compareOutput(expected, output, grid, "f32")).toBeUndefined();
  expect(compareOutput(expected, output, grid, "u32")).toMatchObject({
    integers: true,
    differing: 1,
    unwritten: 0,
    largestUlp: 3,
    differences: { map: ["90"], distances: [0, 1], unordered: 0 },
  });
});
