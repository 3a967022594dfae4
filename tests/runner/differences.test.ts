/** What pictures of a mismatch are drawn from. */
import { expect } from "expect";
import { differencesOf } from "../../tools/runner/differences.ts";
import { poisonFor } from "../../tools/runner/poison.ts";

const ONE = 0x3f800000;
const NAN = 0x7fc00000;

/** A grid of ones, with other words at some places. */
function grid(rows: number, cols: number, others: Record<number, number>) {
  const expected = new Uint32Array(rows * cols).fill(ONE);
  const actual = expected.slice();
  for (const [at, word] of Object.entries(others)) actual[Number(at)] = word;
  return differencesOf({ expected, kind: "f32" }, actual, { rows, cols });
}

Deno.test("a small output has a digit a word, columns one below the other", () => {
  expect(grid(4, 2, { 1: ONE + 1, 7: ONE + 1 }).map).toEqual(["0900", "0009"]);
});

Deno.test("distances are counted by powers of two, and wrong bits each", () => {
  const found = grid(8, 1, { 0: ONE + 1, 1: ONE + 2, 2: ONE + 3, 3: ONE - 4, 4: ONE | 0x80000000 });
  // −1 is 2·0x3f800000 + 1 steps from 1: between 2^30 and 2^31.
  expect(found.distances).toEqual([1, 2, 1, ...new Array(27).fill(0), 1]);
  expect(found.unordered).toBe(0);
  expect(found.bits[0]).toBe(2); // + 1 and + 3
  expect(found.bits[1]).toBe(2); // + 2 and + 3
  expect(found.bits[31]).toBe(1);
});

Deno.test("a NaN in place of a number has wrong bits and no distance", () => {
  const { distances, unordered, bits } = grid(2, 1, { 0: NAN });
  expect({ distances, unordered }).toEqual({ distances: [], unordered: 1 });
  expect(bits[22]).toBe(1);
});

Deno.test("a word never written is on the map, and is no distance", () => {
  const { map, distances, bits } = grid(2, 1, { 1: poisonFor(ONE) });
  expect(map).toEqual(["09"]);
  expect(distances).toEqual([]);
  expect(Math.max(...bits)).toBe(0);
});

Deno.test("a large output is drawn together, and one wrong word is still seen", () => {
  const rows = 151_936;
  const { map } = grid(rows, 1, { [rows - 1]: ONE + 1 });
  expect(map).toEqual([`${"0".repeat(63)}1`]);
  const wide = grid(1, 320, Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, 0])));
  expect(wide.map.length).toBe(32);
  expect(wide.map.slice(0, 2)).toEqual(["9", "0"]);
});

Deno.test("all but one word of a field is not all", () => {
  const wrong = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [i, ONE + 1]));
  expect(grid(64_000, 1, wrong).map[0]!.startsWith("80")).toBe(true);
});
