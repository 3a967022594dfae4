/** ROPE_EXACT: its table, its policies, and faults that its cases notice. */
import { expect } from "expect";
import { ropeExact } from "../../reference/rope_exact.ts";
import { rotaryTable } from "../../reference/rotary.ts";
import { PLANTED_FUNCTIONS } from "../support/contracted.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

Deno.test("ROPE_EXACT is right on every small case", async () => {
  const results = await resultsOf(kernelNamed("ROPE_EXACT"), smallCases("rope_exact"));
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(15);
});

Deno.test("the tables are the cosines and sines of the angles, to half a unit and 2^-30", () => {
  for (const [half, first] of [[64, 0], [64, 32_760], [1, 0], [32, 1000]] as const) {
    const { cos, sin } = rotaryTable(1e6, half, first, 9);
    let worst = 0;
    for (let at = 0; at < 9 * half; at++) {
      const angle = (first + Math.floor(at / half)) * 1e6 ** (-(at % half) / half);
      worst = Math.max(
        worst,
        Math.abs(cos[at] - Math.cos(angle)),
        Math.abs(sin[at] - Math.sin(angle)),
      );
    }
    expect(worst).toBeLessThan(2 ** -25 + 2 ** -30); // values below 1: half a unit is 2^-25
    expect(worst).toBeGreaterThan(2 ** -28);
  }
  expect(() => rotaryTable(1e6, 48, 0, 1)).toThrow(/power of two/);
});

Deno.test("a quarter turn by hand, and what is no number", () => {
  const turn = (
    head: number[],
    c: number,
    s: number,
  ) => [...ropeExact(Float32Array.from(head), Float32Array.of(c), Float32Array.of(s))];
  expect(turn([3, 5], 0, 1)).toEqual([-5, 3]);
  expect(turn([3, 5], 0.5, 0.25)).toEqual([0.25, 3.25]);
  expect(turn([-0, 0], 1, 0)).toEqual([0, 0]);
  expect(turn([Infinity, 1], 1, 1)).toEqual([NaN, NaN]);
  expect(turn([2 ** -126, 1], 1, 0)).toEqual([0, 1]);
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "one pair swapped",
    replace: [[
      "let b = tame(X[at + p.half]);",
      "let b = tame(X[at + p.half - select(0u, 1u, d == 1u)]);",
    ]],
    on: /fill=layer/,
  },
  {
    name: "neighbours for pairs",
    replace: [
      ["* 2u * p.half + d;", "* 2u * p.half + 2u * d;"],
      ["let b = tame(X[at + p.half]);", "let b = tame(X[at + 1u]);"],
      ["O[at + p.half] =", "O[at + 1u] ="],
    ],
    on: /fill=layer/,
  },
  {
    name: "turned the other way",
    replace: [
      [
        "add_tame(mul_tame(a, c), negated(mul_tame(b, s)))",
        "add_tame(mul_tame(a, c), mul_tame(b, s))",
      ],
      [
        "add_tame(mul_tame(b, c), mul_tame(a, s))",
        "add_tame(mul_tame(b, c), negated(mul_tame(a, s)))",
      ],
    ],
    on: /fill=layer/,
  },
  {
    name: "a product contracted with the sum",
    replace: [PLANTED_FUNCTIONS, [
      "add_tame(mul_tame(b, c), mul_tame(a, s))",
      "contracted(b, c, mul_tame(a, s))",
    ]],
    on: /fill=layer/,
  },
  {
    name: "the other product contracted",
    replace: [PLANTED_FUNCTIONS, [
      "add_tame(mul_tame(a, c), negated(mul_tame(b, s)))",
      "contracted(a, c, negated(mul_tame(b, s)))",
    ]],
    on: /fill=layer/,
  },
  {
    name: "every token at the first one's position",
    replace: [["(p.position + token)", "(p.position)"]],
    on: /size/,
  },
  {
    name: "one position too far",
    replace: [["(p.position + token)", "(p.position + token + 1u)"]],
    on: /tokens=[2-5].*fill=layer/,
  },
  {
    name: "differences that cancel to a subnormal are kept",
    replace: [["0u, exponent < 2u)", "0u, exponent < 1u)"]],
    on: /fill=small/,
  },
  {
    name: "a NaN is computed with",
    replace: [[
      "let a = tame(X[at]);",
      "let a = select(tame(X[at]), 0u, tame(X[at]) == NOT_A_NUMBER);",
    ]],
    on: /fill=high/,
  },
];
testFaults("rope_exact", FAULTS.map((fault) => ({ ...fault, kernel: "ROPE_EXACT" })));
