/** QK_NORM_ROPE within its bounds, the bounds against exact arithmetic, and faults that they notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { QkNormRopeInput } from "../../cases/qk_norm_rope/family.ts";
import { HALF, rotationAt } from "../../cases/rotary.ts";
import { addF32, divF32, mulF32 } from "../../reference/f32.ts";
import { normRope } from "../../reference/rope.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { fixed, FIXED_BITS, fixedRoot, times } from "../support/exact.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const CASES = smallCases("qk_norm_rope").filter(({ family, parsed }) => !family.isLarge(parsed));
const HEAD = 2 * HALF;
const inputOf = (address: string): QkNormRopeInput => {
  const { family, parsed } = caseAt(address);
  return family.input(parsed);
};

Deno.test("QK_NORM_ROPE is within its bounds, and uses some of them", async () => {
  const results = await resultsOf(kernelNamed("QK_NORM_ROPE"), CASES);
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBe(20);
  for (const { check, verdict } of results) {
    if (verdict.kind !== "pass" || !check.address.includes("fill=hidden")) continue;
    expect(verdict.share).toBeGreaterThan(0.05);
  }
});

/** The terms of one element in exact arithmetic: what is kept, and what its partner adds. */
function exactElement(
  { values, weight, epsilon, position, ...tables }: QkNormRopeInput,
  at: number,
) {
  const { cos, sin } = rotationAt(tables, position);
  const d = at % HALF, partner = (at + HALF) % HEAD;
  const squares = values.subarray(0, HEAD).reduce((sum, x) => sum + times(fixed(x), fixed(x)), 0n);
  const root = fixedRoot(squares / BigInt(HEAD) + fixed(epsilon));
  const normed = (i: number) => (times(fixed(values[i]!), fixed(weight[i]!)) << FIXED_BITS) / root;
  const crossed = times(normed(partner), fixed(sin[d]!));
  return { kept: times(normed(at), fixed(cos[d]!)), crossed: at < HALF ? -crossed : crossed };
}

const size = (x: bigint) => x < 0n ? -x : x;

Deno.test("the f64 values are those of exact arithmetic, to 2^-45 of their terms", () => {
  for (const { address } of CASES) {
    const input = inputOf(address);
    const { values } = normRope(
      input.values.subarray(0, HEAD),
      input.weight,
      input.epsilon,
      rotationAt(input, input.position),
    );
    for (const at of [0, 63, 64, 100, 127]) {
      const { kept, crossed } = exactElement(input, at);
      const off = size(fixed(values[at]!) - (kept + crossed));
      // A part of 2^-590 is what the fixed numbers themselves cut off.
      expect(off <= ((size(kept) + size(crossed)) >> 45n) + 1024n).toBe(true);
    }
  }
});

Deno.test("a fixed root is a root", () => {
  const two = 2n << FIXED_BITS;
  expect(size(times(fixedRoot(two), fixedRoot(two)) - two) < 8n).toBe(true);
});

/** A right kernel, rounded to f32 at every step, its sum in `chains` chains. */
function roundedHeads(input: QkNormRopeInput, chains: number): Uint32Array {
  const { cos, sin } = rotationAt(input, input.position);
  const { heads, weight, epsilon } = input;
  const words = new Float32Array(heads * HEAD);
  for (let head = 0; head < heads; head++) {
    const x = input.values.subarray(head * HEAD, (head + 1) * HEAD);
    const sums = new Float32Array(chains);
    x.forEach((value, i) => {
      sums[i % chains] = addF32(sums[i % chains]!, mulF32(value, value));
    });
    for (let half = chains / 2; half >= 1; half /= 2) {
      for (let i = 0; i < half; i++) sums[i] = addF32(sums[i]!, sums[i + half]!);
    }
    const root = divF32(1, Math.fround(Math.sqrt(addF32(divF32(sums[0]!, HEAD), epsilon))));
    const normed = Float32Array.from(x, (value, i) => mulF32(mulF32(value, root), weight[i]!));
    for (let d = 0; d < HALF; d++) {
      const [a, b] = [normed[d]!, normed[d + HALF]!];
      words[head * HEAD + d] = addF32(mulF32(a, cos[d]!), -mulF32(b, sin[d]!));
      words[head * HEAD + d + HALF] = addF32(mulF32(b, cos[d]!), mulF32(a, sin[d]!));
    }
  }
  return new Uint32Array(words.buffer);
}

Deno.test("kernels that sum in 32 to 128 chains are within the bound", () => {
  const shares = CASES.flatMap(({ address, family }) => {
    const input = inputOf(address);
    const bounds = family.bounds!(family.reference(input), input);
    return [32, 64, 128].map((chains) => largestShare(bounds, [roundedHeads(input, chains)]));
  });
  expect(shares.length).toBe(60);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.max(...shares)).toBeGreaterThan(0.2);
});

Deno.test("no bound is wider than its roundings: some tens of units in the last place", () => {
  const input = inputOf("qk_norm_rope/layer:heads=8,position=100,fill=hidden,seed=300");
  const { family } = CASES[0]!;
  const { bounds } = family.bounds!(family.reference(input), input);
  for (let at = 0; at < HEAD; at++) {
    const { kept, crossed } = exactElement(input, at);
    const terms = Number((size(kept) + size(crossed)) >> (FIXED_BITS - 200n)) / 2 ** 200;
    const value = Math.abs(Number((kept + crossed) >> (FIXED_BITS - 200n))) / 2 ** 200;
    // The root has 15 roundings under it, halved, ε's, halved, and 4; two products each, then two more.
    expect(bounds[at]!).toBeLessThan(1.01 * (12 * value + 4 * terms) * 2 ** -24 + 2 ** -120);
    expect(bounds[at]!).toBeGreaterThan((11 * value + 3.9 * terms) * 2 ** -24);
  }
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "epsilon 1e-5 for 1e-6",
    replace: [["+ p.epsilon)", "+ 10.0 * p.epsilon)"]],
    on: /fill=embedding/,
  },
  {
    name: "one pair not turned: the last",
    replace: [
      ["let sine = S[", "let sine = select(1.0, 0.0, d == 63u) * S["],
      [
        "let cosine = C[p.position * HALF + d]",
        "let cosine = select(C[p.position * HALF + d], 1.0, d == 63u)",
      ],
    ],
    on: /layer:heads=8,position=100/,
  },
  {
    name: "one rotary pair's elements exchanged",
    replace: [["O[second] = b", "O[second] = select(b, a, d == 40u)"]],
    on: /layer:heads=8/,
  },
  {
    name: "turned the other way round",
    replace: [["- b * sine", "+ b * sine"], ["+ a * sine", "- a * sine"]],
    on: /layer:heads=8/,
  },
  {
    name: "neighbours as a pair",
    replace: [
      ["let first = group.x * HEAD + d", "let first = group.x * HEAD + 2u * d"],
      ["let second = first + HALF", "let second = first + 1u"],
      ["W[d]", "W[2u * d]"],
      ["W[d + HALF]", "W[2u * d + 1u]"],
    ],
    on: /layer:heads=8/,
  },
  {
    name: "the position off by one",
    replace: [["C[p.position", "C[(p.position + 1u)"], ["S[p.position", "S[(p.position + 1u)"]],
    on: /position=1000/,
  },
  {
    name: "the sine of the position before",
    replace: [["S[p.position", "S[(max(p.position, 1u) - 1u)"]],
    on: /position=1000/,
  },
  {
    name: "the tables as if they had a row of 128",
    replace: [["C[p.position * HALF", "C[p.position / 2u * HEAD"]],
    on: /position=63/,
  },
  {
    name: "the weight of the first half for the second",
    replace: [["W[d + HALF]", "W[d]"]],
    on: /layer:heads=8/,
  },
  {
    name: "weights after the turn",
    replace: [
      ["let a = X[first] * scale * W[d]", "let a = X[first] * scale"],
      ["let b = X[second] * scale * W[d + HALF]", "let b = X[second] * scale"],
      ["O[first] = a * cosine - b * sine", "O[first] = (a * cosine - b * sine) * W[d]"],
      ["O[second] = b * cosine + a * sine", "O[second] = (b * cosine + a * sine) * W[d + HALF]"],
    ],
    on: /layer:heads=8/,
  },
  {
    name: "the neighbour's head",
    replace: [["let a = X[first]", "let a = X[first ^ HEAD]"]],
    on: /layer:heads=8/,
  },
  {
    name: "the neighbour's root",
    replace: [["sums[d] = X[first] * X[first]", "sums[d] = X[first ^ HEAD] * X[first ^ HEAD]"]],
    on: /layer:heads=8/,
  },
  {
    name: "the mean of half a head",
    replace: [["f32(HEAD)", "f32(HALF)"]],
    on: /layer:heads=8/,
  },
  {
    name: "one square of 128 left out",
    replace: [["+ X[second] * X[second]", "+ select(X[second] * X[second], 0.0, d == 63u)"]],
    on: /layer:heads=/,
  },
  {
    name: "normed values rounded to f16 on the way",
    replace: [[
      "let a = X[first] * scale * W[d]",
      "let a = unpack2x16float(pack2x16float(vec2f(X[first] * scale * W[d], 0.0))).x",
    ]],
    on: /layer:heads=8/,
  },
];
testFaults("qk_norm_rope", FAULTS.map((fault) => ({ ...fault, kernel: "QK_NORM_ROPE" })));
