/** DEQUANTIZE and EMBEDDING: faults that their cases notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { type Planted, testFaults } from "../support/planted.ts";

Deno.test("an embedding is the table's rows, in the order of the tokens", () => {
  const { family, parsed } = caseAt("embedding/size:format=q2_0,rows=7,n=128,tokens=9,seed=1");
  const input = family.input(parsed);
  const all = Uint32Array.from({ length: 7 }, (_, row) => row);
  const table = family.reference({ ...input, wanted: all });
  const words = family.reference(input);
  expect(input.wanted[0]).toBe(6);
  expect(input.wanted[8]).toBe(0);
  input.wanted.forEach((row: number, col: number) => {
    expect(words.subarray(128 * col, 128 * (col + 1)))
      .toEqual(table.subarray(128 * row, 128 * (row + 1)));
  });
  expect(family.reference(input, { first: 100, count: 2 }).subarray(2, 4))
    .toEqual(words.subarray(228, 230));
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "code 3 is +1",
    replace: [["i32(code) - 1)", "min(i32(code) - 1, 1))"]],
    on: /edge:format=q2_0/,
  },
  { name: "zero has no sign", replace: [["    return sign;", "    return 0u;"]], on: /q[28]_0/ },
  {
    name: "quants without a sign",
    replace: [["<< 24u) >> 24u;", "<< 24u) >> 24u & 0xff;"]],
    on: /format=q8_0/,
  },
  {
    name: "zero times infinity is infinite",
    replace: [["mantissa != 0u || size == 0u", "mantissa != 0u"]],
    on: /w=(infinite|special)/,
  },
  {
    name: "a NaN scale is infinite",
    replace: [["mantissa != 0u || size == 0u", "size == 0u"]],
    on: /w=nan/,
  },
  {
    name: "subnormal scales are flushed",
    replace: [[
      "let significand = mantissa | select(1024u, 0u, exponent == 0u);",
      "let significand = select(mantissa | 1024u, 0u, exponent == 0u);",
    ]],
    on: /w=smallest/,
  },
  {
    name: "subnormal scales are half as large",
    replace: [["max(exponent, 1u)", "exponent"]],
    on: /w=subnormal/,
  },
  {
    name: "signs in the opposite order",
    replace: [["(j % 8u)) & 1u", "(7u - j % 8u)) & 1u"]],
    on: /format=q1_0/,
  },
  {
    name: "codes in the opposite order",
    replace: [["(2u * (j % 4u))", "(6u - 2u * (j % 4u))"]],
    on: /format=q2_0/,
  },
  {
    name: "the scale of the block before",
    replace: [["product(half_at(at), quant)", "product(half_at(max(at, 34u) - 34u), quant)"]],
    on: /format=q8_0/,
  },
  {
    name: "the last value of a row is not written",
    replace: [[
      "  O[id.y * p.n + id.x] = product(half_at(at), i32",
      "  if (id.x + 1u == p.n) { return; }\n  O[id.y * p.n + id.x] = product(half_at(at), i32",
    ]],
    on: /format=q2_0/,
  },
];
testFaults("dequantize", FAULTS.map((fault) => ({ ...fault, kernel: "DEQUANTIZE" })));
testFaults("embedding", [
  {
    name: "rows in the table's order",
    kernel: "EMBEDDING",
    replace: [["R[id.y]", "min(id.y, R[id.y])"]],
    on: /size:/,
  },
  {
    name: "the row after a token's",
    kernel: "EMBEDDING",
    replace: [["(R[id.y] *", "((R[id.y] + 1u) *"]],
    on: /size:/,
  },
]);
