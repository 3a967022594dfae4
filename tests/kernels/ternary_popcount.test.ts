/** TERNARY_POPCOUNT: faults that its cases notice. */
import { expect } from "expect";
import { matmulTernary } from "../../reference/ternary.ts";
import { type Planted, testFaults } from "../support/planted.ts";

Deno.test("the reference, by hand: signs, none, and both planes set", () => {
  const sum = (plus: number, minus: number, signs: number) =>
    matmulTernary({
      n: 32,
      rows: 1,
      cols: 1,
      plus: Uint32Array.of(plus),
      minus: Uint32Array.of(minus),
      signs: Uint32Array.of(signs),
    })[0]! | 0;
  expect(sum(0b1011, 0b0100, 0b0011)).toBe(1 + 1 + 1 - 1);
  expect(sum(0xffffffff, 0, 0)).toBe(-32);
  expect(sum(0, 0x80000000, 0)).toBe(1);
  expect(sum(0xffffffff, 0xffffffff, 5)).toBe(0);
  expect(() => matmulTernary({ ...EMPTY, n: 40 })).toThrow(/a word holds 32/);
  expect(() => matmulTernary({ ...EMPTY, rows: 2 })).toThrow(/need 2, the same, and 1/);
});

const EMPTY = {
  n: 32,
  rows: 1,
  cols: 1,
  plus: new Uint32Array(1),
  minus: new Uint32Array(1),
  signs: new Uint32Array(1),
};

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "an activation of 0 for -1",
    replace: [[
      "2 * with_signs - i32(countOneBits(plus)) + i32(countOneBits(minus))",
      "with_signs",
    ]],
    on: /tile:/,
  },
  {
    name: "the planes exchanged in the correction",
    replace: [[
      "- i32(countOneBits(plus)) + i32(countOneBits(minus))",
      "+ i32(countOneBits(plus)) - i32(countOneBits(minus))",
    ]],
    on: /weights=plus/,
  },
  {
    name: "a weight in both planes is +1",
    replace: [["let minus = N[row * p.words + i];", "let minus = N[row * p.words + i] & ~plus;"]],
    on: /weights=overlapping/,
  },
  {
    name: "the last weight of a word is lost",
    replace: [[
      "let minus = N[row * p.words + i];",
      "let minus = N[row * p.words + i] & 0x7fffffffu;",
    ]],
    on: /weights=ends/,
  },
  {
    name: "the last word is left out",
    replace: [["i < p.words", "i + 1u < p.words"]],
    on: /n=32,/,
  },
  {
    name: "the first column's activations",
    replace: [["X[col * p.words + i]", "X[i]"]],
    on: /cols=3/,
  },
];
testFaults(
  "ternary_popcount",
  FAULTS.map((fault) => ({ ...fault, kernel: "TERNARY_POPCOUNT" })),
);
