/** LM_HEAD: sure tokens, inputs whose token is not sure, and faults that its cases notice. */
import { expect } from "expect";
import { allCases, caseAt } from "../../cases/mod.ts";
import type { Projection } from "../../cases/q1_projection/family.ts";
import { surePlace } from "../../reference/lm_head.ts";
import { q1Projection } from "../../reference/q1_projection.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const FAMILY = "lm_head";

const place = (values: number[], bounds: number[]) =>
  surePlace({ values: Float64Array.from(values), bounds: Float64Array.from(bounds) });

Deno.test("a place is sure where no other logit reaches the largest within both bounds", () => {
  expect(place([1, 3, 2], [0.1, 0.4, 0.5])).toBe(1);
  expect(place([NaN, -3, NaN, -2], [0, 0.4, 0, 0.4])).toBe(3);
  expect(place([NaN, NaN], [0, 0])).toBe(0);
  expect(place([-0, 0, 0], [0, 0, 0])).toBe(0);
  expect(place([1, 5, 5, 5], [0, 0, 0, 0])).toBe(1);
  for (
    const [values, bounds] of [
      [[1, 3, 2], [0.1, 0.5, 0.5]], // they meet
      [[1, 3, 3], [0, 0.01, 0]], // a tie with a bound
      [[3, 3], [0, 0.01]],
      [[2, 3], [2, 0]],
    ] as const
  ) expect(() => place([...values], [...bounds])).toThrow(/^Cannot say which logit is the largest/);
});

Deno.test("every listed case is sure by its own logits, and a tie is one of exact sums", () => {
  let ties = 0;
  for (
    const { family, parsed } of allCases().filter(({ family, parsed }) =>
      family.name === FAMILY && !family.isLarge(parsed)
    )
  ) {
    const input: Projection = family.input(parsed);
    const { n, cols, x } = input;
    const places = family.reference(input);
    for (let col = 0; col < cols; col++) {
      const { values, bounds } = q1Projection({ ...input, x: x.subarray(col * n, (col + 1) * n) });
      const best = places[col]!;
      // By the definition: no value above it, none before it as large; nothing within the bounds.
      const numbers = [...values].map((value, i) => ({ value, i }))
        .filter(({ value }) => !Number.isNaN(value));
      if (numbers.length === 0) {
        expect(best).toBe(0);
        continue;
      }
      const largest = numbers.reduce((most, { value }) => Math.max(most, value), -Infinity);
      expect(best).toBe(numbers.find(({ value }) => value === largest)!.i);
      for (const { value, i } of numbers.filter(({ i }) => i !== best)) {
        if (value === largest) {
          ties++;
          expect(bounds[i]! + bounds[best]!).toBe(0);
        } else expect(largest - value).toBeGreaterThan(bounds[i]! + bounds[best]!);
      }
    }
  }
  expect(ties).toBeGreaterThan(20);
});

Deno.test("rows that repeat and are rounded are refused: their tie is nobody's promise", () => {
  const { family, parsed } = caseAt("lm_head/edge:rows=6,n=64,cols=1,head=ordinary,seed=1");
  const input: Projection = family.input(parsed);
  const best = family.reference(input)[0]!;
  const blocks = 2;
  const copied = { ...input, signs: input.signs.slice(), scales: input.scales.slice() };
  const other = (best + 1) % 6;
  for (const part of [copied.signs, copied.scales]) {
    part.copyWithin(other * blocks, best * blocks, (best + 1) * blocks);
  }
  expect(() => family.reference(copied)).toThrow(/^Cannot say which logit is the largest/);
});

for (const workgroup of [8, 24, 64, 128]) {
  Deno.test(`LM_HEAD is right at workgroup ${workgroup}, a power of two or not`, async () => {
    const results = await resultsOf(kernelNamed("LM_HEAD"), smallCases(FAMILY), workgroup);
    expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
    expect(results.length).toBeGreaterThan(25);
  });
}

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the last of equal ones",
    replace: [["b.place < a.place", "b.place > a.place"]],
    on: /head=ties/,
  },
  {
    name: "the place of the first of four in place of a row's own",
    replace: [["(sums[0][i])), first + i)", "(sums[0][i])), first)"]],
    on: /size:/,
  },
  {
    name: "negative logits in the order of their size",
    replace: [["return ~bits;", "return bits & 0x7fffffffu;"]],
    on: /head=negative/,
  },
  {
    name: "NaN by its bits",
    replace: [["size > 0x7f800000u", "size > 0x7fffffffu"]],
    on: /head=nan/,
  },
  {
    name: "the last row left out",
    replace: [["first + i < p.rows", "first + i + 1u < p.rows"]],
    on: /head=last/,
  },
  {
    name: "the last part left out",
    replace: [["i < p.parts", "i + 1u < p.parts"]],
    on: /head=last/,
  },
  {
    name: "the last block dropped",
    replace: [["b < p.nb;", "b < p.nb - 1u;"]],
    on: /size:/,
  },
  {
    name: "the scale of the neighbouring block",
    replace: [["vec4<f32>(S[at.x],", "vec4<f32>(S[select(at.x, at.x ^ 1u, b + 1u < p.nb)],"]],
    on: /size:/,
  },
  {
    name: "the next column's parts",
    replace: [["parts[col * p.parts + i]", "parts[(p.cols - 1u - col) * p.parts + i]"]],
    on: /size:.*cols=[23]/,
  },
  {
    name: "one sign of a row turned",
    replace: [["vec4<u32>(W[at.x],", "vec4<u32>(W[at.x] ^ select(0u, 0x100u, b == 1u),"]],
    on: /size:|head=/,
  },
];
testFaults(FAMILY, FAULTS.map((fault) => ({ ...fault, kernel: "LM_HEAD" })));
