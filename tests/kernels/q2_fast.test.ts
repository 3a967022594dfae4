/** The fast forms of q2_0_matmul: faults that their cases notice, and what they are given to read. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { packCodes } from "../../kernels/packing.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

Deno.test("codes of neighbouring rows are neighbours, those of four quants a byte apart", () => {
  const { family, parsed } = caseAt("q2_0_matmul/tile:rows=3,n=192,cols=2,seed=1");
  const input = family.input(parsed);
  const words = new Uint32Array(packCodes(input).codes.buffer);
  expect(words.length).toBe(3 * 3 * 4);
  for (let row = 0; row < 3; row++) {
    for (let block = 0; block < 3; block++) {
      for (let weight = 0; weight < 64; weight++) {
        const byte = input.weights[18 * (3 * row + block) + 2 + (weight >> 2)];
        const [g, i] = [(weight >> 2) & 3, weight & 3];
        const word = words[4 * (3 * block + row) + (weight >> 4)]!;
        expect((word >>> (8 * i + 2 * g)) & 3).toBe((byte >> (2 * i)) & 3);
      }
    }
  }
});

Deno.test("FUSED reaches the texts: with it the driver's fma is used", async () => {
  // Both adapters that tests run on round it twice.
  const trap = caseAt("q2_0_matmul/trap:rows=33,n=128,cols=8,seed=401");
  for (const name of ["Q2_SPLIT_FUSED", "Q2_WHOLE_FUSED", "Q2_TILE_FUSED"]) {
    const { needs: _, ...fused } = kernelNamed(name);
    const [result] = await resultsOf(fused, [trap]);
    expect([name, result!.verdict.kind]).toEqual([name, "differ"]);
  }
});

const FAULTS: readonly Planted[] = [
  // In functions that all forms have, and have alike.
  {
    name: "a multiply and then an add",
    kernel: "Q2_ROWS",
    replace: [["  return next + rest;", "  return next;"], [
      "return next + odd_sum(",
      "return next + 0.0 * odd_sum(",
    ]],
    on: /trap:/,
  },
  {
    name: "an inexact rest is not rounded to odd",
    kernel: "Q2_ROWS",
    replace: [["odd_sum(rest, step.low, error);", "rest;"]],
    on: /trap:/,
  },
  {
    name: "what an inexact rest lost has the wrong sign",
    kernel: "Q2_ROWS",
    replace: [["hide(a - a_part) + hide(b - b_part)", "hide(a - a_part) - hide(b - b_part)"]],
    on: /odd:/,
  },
  {
    name: "a rest is inexact only where both differences say so",
    kernel: "Q2_ROWS",
    replace: [["(rest - error != step.low) | ", "(rest - error != step.low) & "]],
    on: /trap:/,
  },
  {
    name: "infinities of the built fma are left as they are",
    kernel: "Q2_ROWS",
    replace: [["if (is_finite(bits)) {", "if (row < p.rows) {"]],
    on: /w=infinite/,
  },
  // In functions that all forms for cards have.
  {
    name: "the top bit of a code is lost",
    kernel: "Q2_WHOLE",
    replace: [["vec4<u32>(0x03030303u)", "vec4<u32>(0x01010101u)"]],
    on: /codes=threes/,
  },
  {
    name: "a code stands for itself",
    kernel: "Q2_WHOLE",
    replace: [["return BIAS_BITS - add_dots", "return BIAS_BITS - 0u * add_dots"]],
    on: /tile:/,
  },
  {
    name: "both sub-blocks have the first one's scale",
    kernel: "Q2_WHOLE",
    replace: [["return d.y * ", "return d.x * "]],
    on: /tile:/,
  },
  {
    name: "weights of the block before",
    kernel: "Q2_WHOLE",
    replace: [["let next_at = min(first + block + 1u,", "let next_at = min(first + block,"]],
    on: /tile:.*n=(192|2048)/,
  },
  {
    name: "the next segment is the first one again",
    kernel: "Q2_WHOLE",
    replace: [["load_blocks(first, count,", "load_blocks(0u, count,"]],
    on: /tile:.*n=12288/,
  },
  {
    name: "weights of this segment again",
    kernel: "Q2_SPLIT",
    replace: [["ahead = fetch_share(first + SEGMENT + own,", "ahead = fetch_share(first + own,"]],
    on: /tile:.*n=(2112|4096)/,
  },
  {
    name: "steps that were not prepared are taken",
    kernel: "Q2_SPLIT",
    replace: [[
      "block < count; block++) {\n        sum",
      "block < SEGMENT; block++) {\n        sum",
    ]],
    on: /tile:/,
  },
  {
    name: "an invocation's last share is left out",
    kernel: "Q2_SPLIT",
    replace: [["  prepare(share.weights7, own + 28u, row);\n", ""]],
    on: /tile:.*n=2048/,
  },
  {
    name: "all rows join the workgroup's first",
    kernel: "Q2_SPLIT",
    replace: [[
      "sum = add_step(sum, steps[block * ROWS + group_row]);",
      "sum = add_step(sum, steps[block * ROWS]);",
    ]],
    on: /tile:/,
  },
  {
    name: "the last column's activations past the end",
    kernel: "Q2_TILE",
    replace: [["min(first_col + col, p.cols - 1u) * p.nb", "first_col * p.nb"]],
    on: /tile:/,
  },
  {
    name: "columns past the end are stored",
    kernel: "Q2_TILE",
    replace: [["col < min(COLS, p.cols - first_col)", "col < COLS"]],
    on: /tile:/,
  },
  {
    name: "the second row is the first one again",
    kernel: "Q2_TILE",
    replace: [["let read1 = min(row1, p.rows - 1u);", "let read1 = read0;"]],
    on: /tile:rows=257/,
  },
  {
    name: "unwanted products are not rounded off",
    kernel: "Q2_ROWS",
    replace: [["return 0x8000 - (", "return -("]],
    on: /tile:/,
  },
  {
    name: "a pair's lower quant without its sign",
    kernel: "Q2_ROWS",
    replace: [[
      "((quants << vec4<u32>(8u)) >> upper)",
      "bitcast<vec4<i32>>(words << vec4<u32>(8u) >> upper)",
    ]],
    on: /tile:/,
  },
  {
    name: "rows of a workgroup are not apart",
    kernel: "Q2_ROWS",
    replace: [["let row1 = row0 + WG;", "let row1 = row0 + WG + 1u;"]],
    on: /tile:rows=65/,
  },
];
// To n = 12288, the only one of more than a segment of Q2_WHOLE.
testFaults("q2_0_matmul", FAULTS, smallCases("q2_0_matmul", 1_500_000));
