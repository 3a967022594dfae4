/** Q8_QUANTIZE: faults that its cases notice, ggml's other variant among them. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { quantizeQ8_0 } from "../../reference/quantize_q8_0.ts";
import { type Planted, testFaults } from "../support/planted.ts";

Deno.test("a column's words are its blocks' bytes, with zeros behind an odd number of blocks", () => {
  const { family, parsed } = caseAt("q8_0_quantize/size:n=96,cols=2,fill=layer,seed=1");
  const input = family.input(parsed);
  const words = family.reference(input);
  expect(family.grid(input)).toEqual({ rows: 26, cols: 2 });
  const second = new Uint8Array(words.buffer).subarray(26 * 4);
  const values = new Float32Array(input.values.buffer, 96 * 4, 96);
  expect([...second]).toEqual([...quantizeQ8_0(values), 0, 0]);
  expect(family.reference(input, { first: 20, count: 6 }))
    .toEqual(Uint32Array.of(...words.subarray(20, 26), ...words.subarray(46, 52)));
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "ties away from zero",
    replace: [["rest == half && (kept & 1u) == 1u", "rest == half"]],
    on: /fill=ties/,
  },
  {
    name: "ggml's other variant: the factor is 1 / scale",
    replace: [[
      "factor = quotient(of_127, number_of(largest));",
      "factor = quotient(Number(LEADING, 0), quotient(number_of(largest), of_127));",
    ]],
    on: /fill=beside_ties/,
  },
  {
    name: "quotients are cut off",
    replace: [["(digits >> 1u) + (digits & 1u)", "digits >> 1u"]],
    on: /fill=beside_ties/,
  },
  {
    name: "a scale is rounded once, from the whole quotient",
    replace: [[
      "let rest = value & ((1u << shift) - 1u);",
      "let rest = (value & ((1u << shift) - 1u)) | select(0u, 1u, shift == 13u);",
    ]],
    on: /fill=scale_ties/,
  },
  {
    name: "subnormal scales are flushed",
    replace: [["x.exponent < -25", "x.exponent < -14"]],
    on: /fill=(scale_ties|tiny)/,
  },
  {
    name: "scales below the smallest f16 are zero",
    replace: [["x.exponent < -25", "x.exponent < -24"]],
    on: /fill=scale_least/,
  },
  {
    name: "the smallest value of all is taken for zero",
    replace: [["} else if (largest > 0u) {", "} else if (largest > 1u) {"]],
    on: /fill=smallest,/,
  },
  {
    name: "scales beyond f16 are not infinite",
    replace: [["x.exponent > 15", "x.exponent > 16"]],
    on: /fill=scale_ends/,
  },
  {
    name: "subnormal values are flushed",
    replace: [["if (size == 0u) {", "if (size < LEADING) {"]],
    on: /fill=beside_subnormal/,
  },
  {
    name: "an infinite factor is taken for a finite one",
    replace: [["factor.exponent > 127", "factor.exponent > 200"]],
    on: /fill=factor_ends/,
  },
  {
    name: "NaN may be the largest",
    replace: [["if (size <= INFINITY) {", "if (size <= 0x7fffffffu) {"]],
    on: /fill=nan/,
  },
  {
    name: "the NaN next to infinity is a number",
    replace: [["if (size <= INFINITY) {", "if (size <= INFINITY + 1u) {"]],
    on: /fill=smallest_nan/,
  },
  {
    name: "infinity times a factor of 0 is 0",
    replace: [[" || is_infinite || size == INFINITY) {", " || is_infinite) {"]],
    on: /fill=infinite/,
  },
  {
    name: "NaN is 0",
    replace: [["size > INFINITY || is_infinite", "is_infinite"]],
    on: /fill=zeros_nan/,
  },
  {
    name: "the last word is not written",
    replace: [["word < p.words", "word + 1u < p.words"]],
    on: /size:/,
  },
  {
    name: "past the end of a column",
    replace: [["if (word < p.words) {", "if (word <= p.words) {"]],
    on: /size:n=(32|96),/,
  },
];
testFaults("q8_0_quantize", FAULTS.map((fault) => ({ ...fault, kernel: "Q8_QUANTIZE" })));
