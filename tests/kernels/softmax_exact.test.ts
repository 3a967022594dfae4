/** SOFTMAX_EXACT: near the true weights, its policies, and faults that its cases notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { softmaxExact } from "../../reference/softmax_exact.ts";
import { PLANTED_FUNCTIONS } from "../support/contracted.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

Deno.test("SOFTMAX_EXACT is right on every small case", async () => {
  const results = await resultsOf(kernelNamed("SOFTMAX_EXACT"), smallCases("softmax_exact"));
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
});

Deno.test("the weights are as near to the true ones as their roundings allow", () => {
  for (const n of [1, 65, 1000, 4096]) {
    const { family, parsed } = caseAt(`softmax_exact/size:n=${n},cols=1,fill=score,seed=9`);
    const values = new Float32Array(family.input(parsed).values.buffer);
    const largest = Math.max(...values);
    const powers = Array.from(values, (x) => Math.exp(x - largest));
    const sum = powers.reduce((a, b) => a + b, 0);
    // In u = 2^-24, relative: x − max is rounded, and as an exponent that error is absolute, at most
    // 32 · u; e^x is off by at most 1.009 units, 2.018 u. Both once above and once, as a mean, in
    // the sum, which rounds n / 64 + 6 times; one quotient. 1 % for the squares of all that.
    const most = (2 * (32 + 2.018) + Math.ceil(n / 64) + 6 + 1) * 2 ** -24 * 1.01;
    const off = softmaxExact(values).map((weight, i) => Math.abs(weight * sum / powers[i]! - 1));
    expect(Math.max(...off)).toBeLessThan(most);
    if (n > 1) expect(Math.max(...off)).toBeGreaterThan(most / 100);
  }
});

Deno.test("policies: masks, all masked, and what is no number", () => {
  const softmax = (...values: number[]) => [...softmaxExact(Float32Array.from(values))];
  const lowest = -3.4028234663852886e38;
  expect(softmax(7)).toEqual([1]);
  expect(softmax(-Infinity, 2, lowest, 2, -(2 ** 127))).toEqual([0, 0.5, 0, 0.5, 0]);
  expect(softmax(-Infinity, lowest)).toEqual([0, 0]);
  expect(softmax(0, -0, 2 ** -130)).toEqual(Array(3).fill(Math.fround(1 / 3)));
  expect(softmax(1, NaN)).toEqual([NaN, NaN]);
  expect(softmax(1, Infinity)).toEqual([NaN, NaN]);
  expect(softmax(NaN, -Infinity)).toEqual([NaN, NaN]);
  expect(softmax(2 ** 127, 1)).toEqual([NaN, NaN]);
  expect(softmax(2 ** 126, -(2 ** 126) * 1.5)).toEqual([1, 0]); // 2^127.3 apart
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "WGSL's own exp",
    replace: [[
      "  return exp_tame(difference);",
      "  return tame(bitcast<u32>(exp(bitcast<f32>(difference))));",
    ]],
    on: /fill=score/,
  },
  {
    name: "the division by a reciprocal",
    replace: [PLANTED_FUNCTIONS, [
      "select(div_tame(power, sum)",
      "select(by_reciprocal(power, sum)",
    ]],
    on: /fill=score/,
  },
  {
    name: "the largest not subtracted",
    replace: [["add_tame(tame(bits), negated(largest))", "tame(bits)"]],
    on: /fill=score/,
  },
  {
    name: "neighbours joined first, not halves",
    replace: [
      [
        "for (var half = WG / 2u; half > 0u; half /= 2u) {\n    if (local < half) {\n      chains",
        "for (var half = 1u; half < WG; half *= 2u) {\n    if (local % (2u * half) == 0u) {\n      chains",
      ],
    ],
    on: /fill=score/,
  },
  {
    name: "the last power left out of the sum",
    replace: [[
      "i < p.n; i += WG) {\n    sum",
      "i + 1u < p.n; i += WG) {\n    sum",
    ]],
    on: /fill=score/,
  },
  {
    name: "the last score never the largest",
    replace: [["i < p.n; i += WG) {\n    order", "i + 1u < p.n; i += WG) {\n    order"]],
    on: /fill=score/,
  },
  {
    name: "the first column's scores",
    replace: [[
      "let power = power_of(X[first + i], largest);",
      "let power = power_of(X[i], largest);",
    ]],
    on: /fill=score/,
  },
  {
    name: "the lowest f32 is a number",
    replace: [["bits >= 0xff000000u &&", "bits >= 0xff800000u &&"]],
    on: /fill=masked/,
  },
  {
    name: "-2^127 is not masked",
    replace: [["bits >= 0xff000000u &&", "bits > 0xff000000u &&"]],
    on: /fill=beside_mask/,
  },
  {
    name: "one below -2^127 in size is masked",
    replace: [["bits >= 0xff000000u &&", "bits >= 0xfe800000u &&"]],
    on: /fill=lowest/,
  },
  {
    name: "a negative NaN is masked",
    replace: [[" && bits <= 0xff800000u", ""]],
    on: /fill=nan/,
  },
  {
    name: "all masked divides by the sum",
    replace: [["select(div_tame(power, sum), 0u, power == 0u)", "div_tame(power, sum)"]],
    on: /fill=all_masked/,
  },
  {
    name: "a difference that overflows is no number",
    replace: [[" || (difference == NOT_A_NUMBER && largest != NOT_A_NUMBER)", ""]],
    on: /fill=far/,
  },
  {
    name: "a NaN leaves the other weights numbers",
    replace: [["select(NOT_A_NUMBER, weight, is_number)", "weight"], [
      "let largest = select(~order, order & 0x7fffffffu, order >= 0x80000000u);",
      "let largest = min(select(~order, order & 0x7fffffffu, order >= 0x80000000u), 0x41800000u);",
    ]],
    on: /fill=high/,
  },
];
testFaults("softmax_exact", FAULTS.map((fault) => ({ ...fault, kernel: "SOFTMAX_EXACT" })));
