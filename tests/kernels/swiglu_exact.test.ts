/** SWIGLU_EXACT: its exponential function bit for bit, and faults that its cases notice. */
import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { expTame } from "../../reference/exp_tame.ts";
import { bitsOfF32, f32OfBits } from "../../reference/f32.ts";
import { PLANTED_FUNCTIONS } from "../support/contracted.ts";
import { kernelNamed } from "../support/faults.ts";
import { onGpu } from "../support/function_on_gpu.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

Deno.test("SWIGLU_EXACT is right on every small case", async () => {
  const results = await resultsOf(kernelNamed("SWIGLU_EXACT"), smallCases("swiglu_exact"));
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(12);
});

Deno.test("the GPU's e^x has the reference's bits on 250,000 values", async () => {
  const pairs: number[] = [];
  for (let bits = 0x30000000; bits < 0x42c00000; bits += 1259) pairs.push(bits | 0x80000000, 0);
  const { text } = KERNELS.find(({ text }) => text.includes("fn exp_tame("))!;
  const words = Uint32Array.from(pairs);
  const found = await onGpu(text, "exp_tame(a)", words);
  const wrong = [...found.keys()].filter((i) =>
    found[i] !== bitsOfF32(expTame(f32OfBits(words[2 * i]!)))
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(found.length).toBeGreaterThan(240_000);
  expect(new Set(found).size).toBeGreaterThan(50_000);
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "WGSL's own exp",
    replace: [[
      "let t = exp_tame(negative_of(gate));",
      "let t = tame(bitcast<u32>(exp(bitcast<f32>(negative_of(gate)))));",
    ]],
    on: /fill=layer/,
  },
  {
    name: "the division by a reciprocal",
    replace: [PLANTED_FUNCTIONS, [
      "mul_tame(div_tame(top, add_tame(ONE, t))",
      "mul_tame(by_reciprocal(top, add_tame(ONE, t))",
    ]],
    on: /fill=layer/,
  },
  {
    name: "e^-gate also where it is above 1",
    replace: [
      ["select(gate, mul_tame(gate, t), gate >= 0x80000000u)", "gate"],
      [
        "let t = exp_tame(negative_of(gate));",
        `var t = exp_tame(negative_of(gate));
  if (gate >= 0x80000000u) { t = div_tame(ONE, t); }`,
      ],
    ],
    on: /fill=layer/,
  },
  {
    name: "Horner's first step contracted",
    replace: [PLANTED_FUNCTIONS, [
      "power = add_tame(mul_tame(power, r), 0x3f000000u);",
      "power = contracted(power, r, 0x3f000000u);",
    ]],
    on: /fill=layer/,
  },
  {
    name: "up before the division",
    replace: [[
      "mul_tame(div_tame(top, add_tame(ONE, t)), tame(Up[id.x]))",
      "div_tame(mul_tame(top, tame(Up[id.x])), add_tame(ONE, t))",
    ]],
    on: /fill=layer/,
  },
  {
    name: "half turns rounded down",
    replace: [["0x3fb8aa3bu), 0x3f000000u)))", "0x3fb8aa3bu), 0u)))"]],
    on: /fill=layer/,
  },
  {
    name: "ln 2 in one part",
    replace: [["let near = add_tame(x, mul_tame(k_bits, 0x3f317200u));", "let near = x;"], [
      "0x35bfbe8eu",
      "0x3f317218u",
    ]],
    on: /fill=layer/,
  },
  {
    name: "a coefficient left out",
    replace: [["  power = add_tame(mul_tame(power, r), 0x3ab60b61u);\n", ""]],
    on: /fill=layer/,
  },
  {
    name: "powers below 2^-125 kept",
    replace: [["(power >> 23u) < k + 2u", "(power >> 23u) < k + 1u"]],
    on: /fill=ends/,
  },
  {
    name: "no bound on the gate",
    replace: [["min(x & 0x7fffffffu, 0x42b00000u)", "x & 0x7fffffffu"]],
    on: /fill=any/,
  },
  {
    name: "a gate that is no number is taken for 0",
    replace: [[
      "let gate = tame(Gate[id.x]);",
      "let given = tame(Gate[id.x]);\n  let gate = select(given, 0u, given == NOT_A_NUMBER);",
    ]],
    on: /fill=high/,
  },
];
testFaults("swiglu_exact", FAULTS.map((fault) => ({ ...fault, kernel: "SWIGLU_EXACT" })));
