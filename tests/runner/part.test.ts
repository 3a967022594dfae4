/** The part of an output that its first wrong word is in, for goldens of bits and of digests. */
import { expect } from "expect";
import { type Case, caseAt } from "../../cases/mod.ts";
import { judge } from "../../tools/runner/judge.ts";
import { digestStrips } from "../../tools/runner/strips.ts";

// Two strips of 256 rows and one of 88: two parts of 400 and 200 rows.
const GRID = { rows: 600, cols: 1 };
const RIGHT = Uint32Array.from({ length: 600 }, (_, i) => 0x3f800000 + i);
const layer = caseAt(
  "decode_layer/small:hidden=256,intermediate=512,heads=4,kv=2,head=64,context=0,tokens=1,seed=1",
);
const subject: Case = {
  ...layer,
  family: {
    ...layer.family,
    grid: () => GRID,
    partAt: (_input, row) =>
      row < 400
        ? { name: "first", at: row, words: "f32" }
        : { name: "second", at: row - 400, words: "u32" },
    reference: (_input, range) => {
      const { first, count } = range ?? { first: 0, count: GRID.rows };
      return RIGHT.slice(first, first + count);
    },
  },
};

for (const isDigest of [false, true]) {
  Deno.test(`the part is named by the row of the whole output: ${isDigest ? "digests" : "bits"}`, async () => {
    const strips = isDigest ? await digestStrips(RIGHT, GRID, "u32") : undefined;
    const actual = RIGHT.slice();
    actual[520]! ^= 1;
    const verdict = await judge(
      { subject, input: undefined, expected: RIGHT, ...(strips && { strips }) },
      { repeats: [actual], overrun: 0 },
    );
    expect(verdict).toMatchObject({
      kind: "differ",
      mismatch: { first: { row: 520 }, part: { name: "second", at: 120, words: "u32" } },
    });
  });
}
