/** The fast forms of q1_0_matmul: what could go wrong in them is noticed by the cases. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const TRAP = caseAt("q1_0_matmul/trap:rows=33,n=256,cols=8,seed=4002");

Deno.test("a constant of the recipe reaches the text: with FUSED the driver's fma is used", async () => {
  // Both adapters that tests run on round it twice.
  const { needs: _, ...fused } = kernelNamed("Q1_SPLIT_FUSED");
  expect((await resultsOf(fused, [TRAP]))[0]!.verdict.kind).toBe("differ");
  expect((await resultsOf({ ...fused, constants: { FUSED: 0 } }, [TRAP]))[0]!.verdict.kind)
    .toBe("pass");
});

const FAULTS: readonly Planted[] = [
  {
    name: "a half of -128 is doubled",
    kernel: "Q1_SPLIT",
    replace: [["quants & ((is_other >> vec4<u32>(7u)) * 255u)", "quants"]],
    on: /edge/,
  },
  {
    name: "a carry between the bytes of a negation",
    kernel: "Q1_ROWS",
    replace: [["(top - (bytes & ~top)) ^ (~bytes & top)", "vec4<u32>() - bytes"]],
    on: /tile/,
  },
  {
    name: "weights of the block before",
    kernel: "Q1_WHOLE",
    replace: [["let next_at = min(first + block + 1u,", "let next_at = min(first + block,"]],
    on: /tile/,
  },
  {
    name: "a segment's last block forgotten where it is not full",
    kernel: "Q1_SPLIT",
    replace: [["if (b + 2u < count)", "if (b + 3u < count)"]],
    on: /tile:rows=40,n=2432/,
  },
  {
    name: "what the segment before left in workgroup memory is added",
    kernel: "Q1_SPLIT",
    replace: [["if (b + 2u < count)", "if (b + 2u <= count)"]],
    on: /tile:rows=40,n=2304/,
  },
  {
    name: "the last column of a pair is stored past the end",
    kernel: "Q1_TILE",
    replace: [["if (col + 1u < p.cols)", "if (col < p.cols)"]],
    on: /tile/,
  },
  {
    name: "two entries of the table swapped",
    kernel: "Q1_TILE",
    replace: [[
      "table[pair][k][lane][5] = d * (none + x + z);",
      "table[pair][k][lane][5] = d * (none + x + w);",
    ]],
    on: /tile/,
  },
  {
    name: "rows of a workgroup are not apart",
    kernel: "Q1_ROWS",
    replace: [["let row1 = row0 + WG;", "let row1 = row0 + WG + 1u;"]],
    on: /tile/,
  },
  {
    name: "infinities of the built fma are left as they are",
    kernel: "Q1_ROWS",
    replace: [["if (is_finite(bits)) {", "if (is_finite(bits) || row < p.rows) {"]],
    on: /infinite:/,
  },
];

testFaults("q1_0_matmul", FAULTS, smallCases("q1_0_matmul", 300_000));
