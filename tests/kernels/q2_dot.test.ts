/** Q2_DOT and Q2_LANES: faults that its cases notice, and that every trap is one. */
import { expect } from "expect";
import { allCases } from "../../cases/mod.ts";
import { dotQ2_0, matmulQ2_0 } from "../../reference/q2_0.ts";
import { wrongQ2_0 } from "../reference/wrong_arithmetics.ts";
import { type Planted, testFaults } from "../support/planted.ts";

Deno.test("traps: a product by way of f64 is wrong in many words of each case", () => {
  const traps = allCases().filter(({ address }) => address.startsWith("q2_0_matmul/trap:"));
  expect(traps.length).toBe(5);
  let wrong = 0, words = 0;
  for (const { family, parsed } of traps) {
    const input = family.input(parsed);
    const right = matmulQ2_0(input);
    const viaF64 = wrongQ2_0.outer_fma_via_f64(input);
    words += right.length;
    wrong += right.filter((word, i) => word !== viaF64[i]).length;
    // The definition, step by step, agrees.
    expect(dotQ2_0(input.n, input.weights, 0, input.activations, 0)).toBe(right[0]);
  }
  expect(wrong).toBeGreaterThan(words / 4);
});

const PART = "f16_to_f32(weight_half(weights_at)), part, sum)";
const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "code 3 is +1",
    replace: [["& 3u) - 1;", "& 3u) - 1 - i32(((codes >> (2u * i)) & 3u) / 3u);"]],
    on: /codes=threes/,
  },
  {
    name: "-(-128) wraps, as it does in Q1_0",
    replace: [["sum += weight * q;", "sum += ((weight * q) << 24u) >> 24u;"]],
    on: /codes=minus,.*quants=m128/,
  },
  {
    name: "a multiply and then an add",
    replace: [[
      `fma_exact(${PART}`,
      `sum + hide(hide(f16_to_f32(weight_half(weights_at))) * part)`,
    ]],
    on: /tile:.*n=(320|2048)/,
  },
  {
    name: "what the sums lost is not rounded to odd",
    replace: [["(lost & 0x7fffffffu) != 0u && ", "(lost & 0x7fffffffu) == 1u && "]],
    on: /trap:/,
  },
  {
    name: "blocks in descending order",
    replace: [
      [
        "let weights_at = (row * blocks + block) * 18u;",
        "let weights_at = (row * blocks + blocks - 1u - block) * 18u;",
      ],
      ["((col * blocks + block) * 2u + k)", "((col * blocks + blocks - 1u - block) * 2u + k)"],
    ],
    on: /tile:.*n=(320|2048)/,
  },
  {
    name: "the scale of the neighbouring block",
    replace: [["activation_half(activations_at))", "activation_half(activations_at - 34u * k))"]],
    on: /tile:/,
  },
  {
    name: "the last row is left out",
    replace: [["if (row >= p.rows) {", "if (row + 1u >= p.rows) {"]],
    on: /tile:rows=65/,
  },
  {
    name: "subnormal scales are flushed",
    replace: [["f32(mantissa) * 0x1p-24f", "f32(mantissa) * 0.0"]],
    on: /w=smallest/,
  },
  {
    name: "infinite scales are finite",
    replace: [["exponent == 31u", "exponent == 32u"]],
    on: /w=infinite/,
  },
];
testFaults("q2_0_matmul", FAULTS.map((fault) => ({ ...fault, kernel: "Q2_DOT" })));
const LANE_FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the lanes' sums in descending order",
    replace: [
      ["first + i) * 18u", "first + min(8u, blocks - first) - 1u - i) * 18u"],
      ["parts[local + i]", "parts[local + min(8u, blocks - first) - 1u - i]"],
    ],
    on: /tile:.*n=(320|2048)/,
  },
  {
    name: "the eighth lane's sum is left out",
    replace: [["i < min(8u, blocks - first)", "i < min(7u, blocks - first)"]],
    on: /tile:.*n=2048/,
  },
  {
    name: "lanes beyond the last block are added too",
    replace: [
      ["i < min(8u, blocks - first)", "i < 8u"],
      ["if (live && mine < blocks) {", "if (live) {"],
    ],
    on: /tile:.*n=(192|320)/,
  },
  {
    name: "all rows join the workgroup's first lanes",
    replace: [["parts[local + i]", "parts[i]"]],
    on: /tile:/,
  },
  {
    name: "only the first eight blocks",
    replace: [["first < blocks; first += 8u", "first < min(8u, blocks); first += 8u"]],
    on: /tile:.*n=2048/,
  },
  {
    name: "the built fma replaced by a multiply and then an add",
    replace: [[
      "fma_exact(scale, parts[local + i], sum)",
      "sum + hide(scale * parts[local + i])",
    ]],
    on: /trap:/,
  },
];
testFaults("q2_0_matmul", LANE_FAULTS.map((fault) => ({ ...fault, kernel: "Q2_LANES" })));
