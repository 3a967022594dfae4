/** The picture of a failure is part of the interface. */
import { expect } from "expect";
import {
  adapterLines,
  failureReport,
  mismatchLines,
  summaryLine,
} from "../../tools/report/text.ts";
import { unsupportedLines } from "../../tools/report/unsupported.ts";
import { DIFFERING, RECORD, result, TILE } from "./record.ts";

Deno.test("a mismatch is shown with its neighbours, an error with its place, each cause once", () => {
  expect(failureReport(RECORD, 10).join("\n")).toBe(`\
DIFFER  Q1_DOT, workgroup 32: ${TILE}
  differing words: 658 of 1,280; the first at row 2, column 1; largest distance 12,345 ulp
  3 words never written
  2 words written past the end of the output
  7 words not the same in 4 repetitions: a race
         row  expected                   actual
           1  80000000  -0               80000000  -0
  ->       2  3f800000  1                3f800001  1.00000012
           3  7fc00000  NaN              7f800000  Infinity
  again: deno task gate --kernel Q1_DOT --workgroup 32 --repeat 4 '${TILE}'

ERROR  Q1_MM, workgroup 32: ${TILE}
  Q1_MM does not compile: expected expression
  kernels/q1_mm.wgsl:7:3
      oops
      ^
  again: deno task gate --kernel Q1_MM --workgroup 32 --repeat 4 '${TILE}'
  the same for 1 other check

kernel                            passed      differ       error unsupported
Q1_DOT, workgroup 32                   1           1           0           0
Q1_MM, workgroup 32                    0           0           2           0
Q1_MM4, workgroup 32                   0           0           0           1
`);
});

Deno.test("of an output made of parts the first wrong one is named, its words as what they are", () => {
  const word = { row: 40, col: 0, expected: 0x3f800000, actual: 0x40000000 };
  const mismatch = { ...DIFFERING.mismatch, integers: true, first: word, neighbours: [] };
  const lines = (words: "f32" | "u32") =>
    mismatchLines({ ...mismatch, part: { name: "mix 1", at: 5, words } }).join("\n");
  expect(lines("f32")).toMatch(
    /^differing words: 658 of 1,280; the first in mix 1, word 5, which is at row 40, column 0;/,
  );
  expect(lines("f32")).toMatch(/3f800000 {2}1 +40000000 {2}2$/);
  expect(lines("u32")).toMatch(/3f800000 {2}1065353216 +40000000 {2}1073741824$/);
});

Deno.test("a long list of failures is cut, and says so", () => {
  const results = Array.from({ length: 5 }, (_, i) => result("Q1_MM", DIFFERING, `a/b:seed=${i}`));
  const text = failureReport({ ...RECORD, results }, 2).join("\n");
  expect(text.match(/^DIFFER/gm)?.length).toBe(2);
  expect(text).toMatch(/… and 3 more; --record FILE writes all of them/);
});

Deno.test("nothing failed, nothing is shown", () => {
  expect(failureReport({ ...RECORD, results: RECORD.results.slice(0, 1) }, 10)).toEqual([]);
});

Deno.test("the last line counts what ran of what was planned: texts that do not compile did not", () => {
  expect(summaryLine(RECORD)).toBe(
    "2 of 6 planned checks ran in 1.50 s: 1 passed, 1 differ, 2 errors, 1 unsupported here",
  );
});

Deno.test("a reason for unsupported stands once, with the first addresses", () => {
  const verdict = { kind: "unsupported", reason: "needs more" } as const;
  const results = Array.from({ length: 5 }, (_, i) => result("Q1_MM", verdict, `a/b:seed=${i}`));
  const sound = result("Q1_MM", { kind: "pass", words: 1 }, "a/b:seed=9");
  expect(unsupportedLines([...results, sound])).toEqual([
    "UNSUPPORTED  Q1_MM, workgroup 32: needs more",
    "  a/b:seed=0",
    "  a/b:seed=1",
    "  a/b:seed=2",
    "  and 2 other cases",
  ]);
  // Where the adapter rules the kernel out, its cases are of no interest.
  expect(unsupportedLines(results)).toEqual([
    "UNSUPPORTED  Q1_MM, workgroup 32: needs more",
    "  none of its 5 cases",
  ]);
});

Deno.test("a strip that differs is named by its rows", () => {
  if (DIFFERING.kind !== "differ") throw new Error("not a mismatch");
  const strip = { first: 512, count: 256, strips: 594, differing: 3 };
  const verdict = { kind: "differ", mismatch: { ...DIFFERING.mismatch, strip } } as const;
  const text = failureReport({ ...RECORD, results: [result("Q1_MM", verdict)] }, 1).join("\n");
  expect(text).toMatch(/strips of rows that differ: 3 of 594; of the first, rows 512 to 767:/);
});

Deno.test("software adapters, driver files and the GL backend are named", () => {
  expect(adapterLines(RECORD)[0]).toBe("adapter  A card <& co> (hardware)");
  const software = { ...RECORD, adapter: { ...RECORD.adapter, software: true }, backend: "gl" };
  const lines = adapterLines({ ...software, driverFile: "/x.json" }).join("\n");
  expect(lines).toMatch(/software, on the CPU/);
  expect(lines).toMatch(/driver file \/x\.json/);
  expect(lines).toMatch(/Do not trust GL/);
});
