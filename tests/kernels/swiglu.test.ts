/** SWIGLU within its bounds, the bounds against exact arithmetic, and faults that they notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { SwigluInput } from "../../cases/swiglu/family.ts";
import { addF32, divF32, mulF32 } from "../../reference/f32.ts";
import { expError, SMALLEST_NORMAL } from "../../reference/roundings.ts";
import { swiglu } from "../../reference/swiglu.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { fixed, FIXED_BITS, fixedExp, relativeError } from "../support/exact.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const CASES = smallCases("swiglu");
const inputOf = (address: string): SwigluInput => {
  const { family, parsed } = caseAt(address);
  return family.input(parsed);
};

Deno.test("SWIGLU is within its bounds, and uses some of them", async () => {
  const results = await resultsOf(kernelNamed("SWIGLU"), CASES);
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(20);
  const layers = results.filter(({ check }) => check.address.includes("/layer:"));
  expect(layers.length).toBe(3);
  for (const { verdict } of layers) {
    const share = verdict.kind === "pass" ? verdict.share! : NaN;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThanOrEqual(1);
  }
});

Deno.test("the f64 values are those of exact arithmetic, to 2^-48 of their size", () => {
  let seen = 0;
  for (const { address } of CASES) {
    const { gate, up } = inputOf(address);
    const { values } = swiglu(gate, up);
    for (const at of [0, gate.length >> 1, gate.length - 1]) {
      const g = gate[at]!;
      const e = fixedExp(fixed(-Math.abs(g)));
      // y (1 + e) = g up, or g up e.
      const right = (fixed(g) * fixed(up[at]!) >> FIXED_BITS) *
          (g < 0 ? e : 1n << FIXED_BITS) >> FIXED_BITS;
      if (Math.abs(values[at]!) < 2 ** -300) continue;
      const left = fixed(values[at]!) * ((1n << FIXED_BITS) + e) >> FIXED_BITS;
      expect(relativeError(left, right)).toBeLessThan(2 ** -48);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(45);
});

/** A right kernel in f32, whose exp is off by a part of what it may be, and whose divisions are too. */
function roundedSwiglu({ gate, up }: SwigluInput, part: number): Uint32Array {
  const words = Float32Array.from(gate, (g, i) => {
    const exact = Math.exp(-Math.abs(g));
    const off = exact * (1 + part * expError(g));
    const e = off < SMALLEST_NORMAL ? 0 : addF32(off, 0);
    const quotient = divF32(g < 0 ? e : 1, addF32(1, e));
    return mulF32(mulF32(g, mulF32(quotient, 1 + part * 2 ** -22)), up[i]!);
  });
  return new Uint32Array(words.buffer);
}

Deno.test("a kernel whose exp is as wrong as it may be is within the bound, and needs most of it", () => {
  const shares = CASES.flatMap(({ address, family }) => {
    const input = inputOf(address);
    const bounds = family.bounds!(family.reference(input), input);
    return [-1, 1].map((part) => largestShare(bounds, [roundedSwiglu(input, part)]));
  });
  expect(shares.length).toBe(2 * CASES.length);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.max(...shares)).toBeGreaterThan(0.8);
});

Deno.test("elements repeat with a prime period, and each is drawn", () => {
  const input = inputOf("swiglu/layer:n=6144,cols=1,fill=layer,seed=300");
  expect(input.distinct).toBe(1021);
  expect(input.gate[1020 + 1021]).toBe(input.gate[1020]);
  expect(new Set(input.gate).size).toBeGreaterThan(1000);
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the exponential of gate itself, which overflows",
    replace: [
      ["exp(-abs(g))", "exp(g)"],
      ["select(1.0, e, g < 0.0)", "e"],
    ],
    on: /fill=open/,
  },
  {
    name: "gate and up exchanged",
    replace: [["let g = G[i]", "let g = U[i]"], ["sigmoid * U[i]", "sigmoid * G[i]"]],
    on: /layer:/,
  },
  {
    name: "the sigmoid of -gate",
    replace: [["g < 0.0", "g >= 0.0"]],
    on: /layer:/,
  },
  {
    name: "exp2 with log2 e to five digits",
    replace: [["exp(-abs(g))", "exp2(-1.4427 * abs(g))"]],
    on: /layer:/,
  },
  {
    name: "a tail that is cut off at -20",
    replace: [["exp(-abs(g))", "select(exp(-abs(g)), 0.0, abs(g) > 20.0)"]],
    on: /fill=negative/,
  },
  {
    name: "gates clamped to 80",
    replace: [["let g = G[i]", "let g = clamp(G[i], -80.0, 80.0)"]],
    on: /fill=open/,
  },
  {
    name: "gates rounded to f16 on the way",
    replace: [["let g = G[i]", "let g = unpack2x16float(pack2x16float(vec2f(G[i], 0.0))).x"]],
    on: /layer:n=6144/,
  },
  {
    name: "the sigmoid rounded to f16 on the way",
    replace: [["g * sigmoid", "g * unpack2x16float(pack2x16float(vec2f(sigmoid, 0.0))).x"]],
    on: /layer:n=6144/,
  },
  {
    name: "up of the next element",
    replace: [["U[i]", "U[min(i + 1u, p.count - 1u)]"]],
    on: /layer:/,
  },
  {
    name: "the last element left out",
    replace: [["i >= p.count", "i + 1u >= p.count"]],
    on: /size:/,
  },
  {
    name: "one element too many",
    replace: [["i >= p.count", "i > p.count"]],
    on: /size:n=63/,
  },
];
testFaults("swiglu", FAULTS.map((fault) => ({ ...fault, kernel: "SWIGLU" })));
