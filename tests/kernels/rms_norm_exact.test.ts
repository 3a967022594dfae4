/** RMS_NORM_EXACT: near the true value; policies at the ends; faults that its cases notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { rmsNorm } from "../../reference/rms_norm.ts";
import { rmsNormExact } from "../../reference/rms_norm_exact.ts";
import { kernelNamed } from "../support/faults.ts";
import { PLANTED_FUNCTIONS } from "../support/contracted.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

Deno.test("RMS_NORM_EXACT is right on every small case", async () => {
  const results = await resultsOf(kernelNamed("RMS_NORM_EXACT"), smallCases("rms_norm_exact"));
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
});

Deno.test("it is within the bounds of rms_norm, whose derivation allows its order", () => {
  let compared = 0;
  for (const { family, parsed } of smallCases("rms_norm")) {
    const { n, cols, values, weight, epsilon } = family.input(parsed);
    for (let col = 0; col < cols; col++) {
      const x = values.subarray(col * n, (col + 1) * n);
      const exact = rmsNormExact(x, weight, epsilon);
      const { values: right, bounds } = rmsNorm(x, weight, epsilon);
      // Below 2^-125 this family has zeros, which is twice what those bounds allow for a flush.
      for (let i = 0; i < n; i++) {
        const flushed = 2 ** -125 * (1 + Math.abs(weight[i]));
        expect(Math.abs(exact[i]! - right[i]!)).toBeLessThanOrEqual(bounds[i]! + flushed);
        compared++;
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000);
});

Deno.test("policies: no -0, zeros below 2^-125, a column with what is no number is NaN", () => {
  const norm = (
    ...x: number[]
  ) => [
    ...rmsNormExact(Float32Array.from(x), new Float32Array(x.length).fill(1), Math.fround(1e-6)),
  ];
  expect(norm(-0, 1)).toEqual([0, 1.4142121076583862]);
  expect(norm(2 ** -126, 0)).toEqual([0, 0]);
  expect(norm(1, Infinity)).toEqual([NaN, NaN]);
  expect(norm(1, NaN)).toEqual([NaN, NaN]);
  expect(norm(1, 2 ** 64)).toEqual([NaN, NaN]); // its square is above 2^127
  expect(norm(2 ** 63, 2 ** 63)).toEqual([NaN, NaN]); // each square is below, their sum is not
  expect(norm(2 ** 63)).toEqual([1]);
});

Deno.test("the cases come to all of them", () => {
  const wordsOf = (fill: string) => {
    const { family, parsed } = caseAt(`rms_norm_exact/edge:n=128,cols=4,fill=${fill},seed=1`);
    return [...family.reference(family.input(parsed))];
  };
  const kinds = (fill: string) =>
    new Set(
      wordsOf(fill).map((word) => word === 0x7fc00000 ? "NaN" : word === 0 ? "zero" : "number"),
    );
  expect(kinds("high")).toEqual(new Set(["number", "NaN"]));
  expect(kinds("any_weight")).toEqual(new Set(["number", "NaN", "zero"]));
  expect(kinds("low")).toEqual(new Set(["number", "zero"]));
  expect(wordsOf("any_weight")).not.toContain(0x80000000);
});

const SQUARES = "sum = add_tame(sum, mul_tame(x, x));";
const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "epsilon 1e-5 for 1e-6",
    replace: [["add_tame(mean, p.epsilon)", "add_tame(mean, bitcast<u32>(1e-5f))"]],
    on: /fill=hidden/,
  },
  {
    name: "the last of the squares dropped",
    replace: [[
      "i < p.n; i += WG) {\n    let x",
      "i < p.n - 1u; i += WG) {\n    let x",
    ]],
    on: /fill=hidden/,
  },
  {
    name: "neighbours joined first, not halves",
    replace: [
      [
        "for (var half = WG / 2u; half > 0u; half /= 2u)",
        "for (var half = 1u; half < WG; half *= 2u)",
      ],
      ["if (local < half)", "if (local % (2u * half) == 0u)"],
    ],
    on: /fill=hidden/,
  },
  {
    name: "each invocation sums neighbours",
    replace: [
      [
        "for (var i = local; i < p.n; i += WG) {\n    let x",
        "let each = (p.n + WG - 1u) / WG;\n" +
        "  for (var i = local * each; i < min(p.n, (local + 1u) * each); i++) {\n    let x",
      ],
    ],
    on: /layer/,
  },
  {
    name: "squares contracted with their sum",
    replace: [PLANTED_FUNCTIONS, [SQUARES, "sum = contracted(x, x, sum);"]],
    on: /fill=hidden/,
  },
  {
    name: "the mean by a reciprocal",
    replace: [
      PLANTED_FUNCTIONS,
      ["div_tame(sum_of_all(sum, local),", "by_reciprocal(sum_of_all(sum, local),"],
    ],
    on: /fill=hidden/,
  },
  {
    name: "the root cut off",
    replace: [[
      "tame_of(Number((digits >> 1u) + (digits & 1u), (x",
      "tame_of(Number(digits >> 1u, (x",
    ]],
    on: /fill=hidden/,
  },
  {
    name: "the scale times the weight first",
    replace: [[
      "mul_tame(mul_tame(tame(X[first + i]), scale), tame(W[i]))",
      "mul_tame(tame(X[first + i]), mul_tame(scale, tame(W[i])))",
    ]],
    on: /fill=hidden/,
  },
  {
    name: "subnormal squares kept",
    replace: [["0u, exponent < 2u)", "0u, exponent < 1u)"]],
    on: /fill=square_ends/,
  },
  {
    name: "infinity is a number",
    replace: [["exponent > 253u", "exponent > 255u"]],
    on: /fill=high/,
  },
  {
    name: "what is above 2^127 is a number",
    replace: [["exponent > 253u", "exponent > 254u"]],
    on: /fill=sum_ends/,
  },
];
testFaults("rms_norm_exact", FAULTS.map((fault) => ({ ...fault, kernel: "RMS_NORM_EXACT" })));
