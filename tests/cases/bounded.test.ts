/** The contract `bounded`: what a golden keeps, what a word is held to, and what a verdict says. */
import { expect } from "expect";
import { nearestWords, readBounded, shareOfBound, storeBounded } from "../../cases/bounded.ts";
import { FAMILIES } from "../../cases/mod.ts";
import { compareOutput } from "../../tools/runner/compare.ts";
import { poisonFor } from "../../tools/runner/poison.ts";
import { boundLines, mismatchFacts } from "../../tools/report/text.ts";

const bits = (x: number) => new Uint32Array(Float32Array.of(x).buffer)[0]!;

Deno.test("what is stored is read back: values exactly, bounds never smaller", () => {
  const values = Float64Array.of(1 / 3, -0, 1e300, NaN, -Infinity, 2 ** -1074);
  const bounds = Float64Array.of(0, 1e-30, 1 / 3, 2 ** -149, 2 ** -150, 3e38);
  const read = readBounded(storeBounded({ values, bounds }));
  expect(read.values).toEqual(values);
  expect(Object.is(read.values[1], -0)).toBe(true);
  read.bounds.forEach((bound, i) => {
    expect(bound).toBeGreaterThanOrEqual(bounds[i]!);
    expect(bound).toBeLessThanOrEqual(bounds[i]! * (1 + 2 ** -23) + 2 ** -149);
  });
  expect(nearestWords(storeBounded({ values, bounds }))[0]).toBe(bits(1 / 3));
});

Deno.test("a bound that could never fail is refused", () => {
  for (const bound of [NaN, Infinity, -1, 1e39]) {
    expect(() => storeBounded({ values: Float64Array.of(1), bounds: Float64Array.of(bound) }))
      .toThrow(/^Cannot bound element 0: its bound is .*\. Choose an input/);
  }
});

Deno.test("a share is the error by the bound; what is not finite must be itself", () => {
  const held = {
    values: Float64Array.of(1, 1, NaN, Infinity, 0),
    bounds: Float64Array.of(2 ** -20, 0, 1, 1, 0),
  };
  expect(shareOfBound(held, 0, bits(1 + 2 ** -21))).toBe(0.5);
  expect(shareOfBound(held, 0, bits(1 - 2 ** -19))).toBe(2);
  expect(shareOfBound(held, 0, bits(NaN))).toBe(Infinity);
  expect(shareOfBound(held, 0, bits(Infinity))).toBe(Infinity);
  expect(shareOfBound(held, 1, bits(1))).toBe(0);
  expect(shareOfBound(held, 1, bits(1 + 2 ** -23))).toBe(Infinity);
  expect(shareOfBound(held, 2, bits(NaN))).toBe(0);
  expect(shareOfBound(held, 2, bits(1))).toBe(Infinity);
  expect(shareOfBound(held, 3, bits(Infinity))).toBe(0);
  expect(shareOfBound(held, 3, bits(-Infinity))).toBe(Infinity);
  expect(shareOfBound(held, 3, bits(3e38))).toBe(Infinity);
  expect(shareOfBound(held, 4, bits(-0))).toBe(0);
});

const VALUES = { values: Float64Array.of(1, 2, 4), bounds: Float64Array.of(0.1, 0.1, 0.1) };
const EXPECTED = Uint32Array.from([1, 2, 4], bits);
const compared = (...actual: number[]) =>
  compareOutput(
    EXPECTED,
    { repeats: [Uint32Array.from(actual)], overrun: 0 },
    { rows: 3, cols: 1 },
    "f32",
    VALUES,
  );

Deno.test("within the bound is right, beyond it differs and says by how much", () => {
  expect(compared(bits(1.09), bits(1.91), bits(4))).toBeUndefined();
  const mismatch = compared(bits(1), bits(2.25), bits(4.05))!;
  expect(mismatch).toMatchObject({ differing: 1, unwritten: 0, rows: [1], first: { row: 1 } });
  expect(mismatch.share).toBeCloseTo(2.5, 5);
  expect(mismatchFacts(mismatch)).toContain("the largest error is 2.50 times its bound");
});

Deno.test("a word that was never written is not within any bound", () => {
  const mismatch = compared(bits(1), poisonFor(EXPECTED[1]!), bits(4))!;
  expect(mismatch).toMatchObject({ differing: 1, unwritten: 1 });
  expect(mismatch.share).toBeUndefined();
});

Deno.test("a run says how near each kernel came to a bound", () => {
  const check = (address: string) => ({ kernel: "K", address, workgroup: 64 });
  const pass = (share?: number) =>
    ({ kind: "pass", words: 1, ...(share !== undefined && { share }) }) as const;
  expect(boundLines([
    { check: check("a"), verdict: pass(0.1) },
    { check: check("b"), verdict: pass(0.4567) },
    { check: check("c"), verdict: pass(0.2) },
    { check: { ...check("d"), kernel: "EXACT" }, verdict: pass() },
  ])).toEqual(["BOUND  K used at most 45.7 % of a bound by WGSL's limits: b"]);
});

Deno.test("a family has bounds where its contract says so, and nowhere else", () => {
  const kinds = FAMILIES.map(({ contract, bounds }) => `${contract} ${bounds !== undefined}`);
  expect(kinds).toContain("bounded true");
  expect(kinds.filter((kind) => kind !== "exact false" && kind !== "bounded true")).toEqual([]);
});
