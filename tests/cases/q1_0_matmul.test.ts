/** What the cases of q1_0_matmul claim of themselves. */
import { expect } from "expect";
import assert from "assert";
import { type Case, caseAt, quickCases } from "../../cases/mod.ts";
import { BONSAI } from "../../cases/bonsai.ts";
import { mulberry32 } from "../../cases/random.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { f32OfF16 } from "../../reference/f16.ts";
import { sameWord } from "../../tools/runner/words.ts";
import { wrongQ1_0 } from "../reference/wrong_arithmetics.ts";

function inGroup(group: string): Case[] {
  const cases = quickCases().filter(({ parsed }) => parsed.group === group);
  expect(cases.length).toBeGreaterThan(5);
  return cases;
}

/** Outputs that a wrong arithmetic gets wrong, of all. */
function wrongOutputs(subject: Case, arithmetic: string): { wrong: number; all: number } {
  const input: Q1Input = subject.family.input(subject.parsed);
  const right = subject.family.reference(input);
  const { distinctRows: rows, cols, n, weights, activations } = input;
  const got = wrongQ1_0[arithmetic]!({ rows, cols, n, weights, activations });
  let wrong = 0;
  right.forEach((word, i) => wrong += sameWord(word, got[i]!, "f32") ? 0 : 1);
  return { wrong, all: right.length };
}

for (const arithmetic of ["outer_fma_via_f64", "outer_mul_add"]) {
  Deno.test(`every output of every trap is wrong with ${arithmetic}`, () => {
    for (const subject of inGroup("trap")) {
      const { wrong, all } = wrongOutputs(subject, arithmetic);
      expect(`${subject.address} ${wrong}`).toBe(`${subject.address} ${all}`);
    }
  });
}

Deno.test("cancelling sums show a multiply and an add in nearly every output", () => {
  for (const subject of inGroup("cancel")) {
    const { wrong, all } = wrongOutputs(subject, "outer_mul_add");
    expect(wrong).toBeGreaterThan(0.9 * all);
  }
});

Deno.test("every wrong arithmetic is caught by some case of the quick groups", () => {
  const cases = [...inGroup("cancel"), ...inGroup("random"), ...inGroup("trap")];
  for (const arithmetic of Object.keys(wrongQ1_0)) {
    // A product that is exact in f32 rounds the same fused and not.
    if (arithmetic === "inner_mul_add") continue;
    const caught = cases.some((subject) => wrongOutputs(subject, arithmetic).wrong > 0);
    expect(`${arithmetic} ${caught}`).toBe(`${arithmetic} true`);
  }
});

Deno.test("the engine's own case has its shape, its first draws and its columns' seeds", () => {
  const { family, parsed } = caseAt("q1_0_matmul/random:rows=256,n=2048,cols=5,seed=1");
  const input: Q1Input = family.input(parsed);
  expect(family.grid(input)).toEqual({ rows: 256, cols: 5 });
  const random = mulberry32(1);
  const scale = () => ((random() & 1) << 15) | ((3 + random() % 14) << 10) | (random() & 1023);
  const first = scale();
  expect(input.weights[0]! | (input.weights[1]! << 8)).toBe(first);
  expect([...input.weights.subarray(2, 18)]).toEqual(
    Array.from({ length: 16 }, () => random() & 255),
  );
  const column = mulberry32(103); // 100 · seed + 3
  const sign = column() & 1;
  const exponent = 3 + column() % 14;
  const columnAt = 3 * (2048 / 32) * 34;
  expect(input.activations[columnAt + 1]! >> 2).toBe((sign << 5) | exponent);
});

Deno.test("about 2 in 100 quants of the engine's case are -128", () => {
  const { family, parsed } = caseAt("q1_0_matmul/random:rows=256,n=2048,cols=5,seed=1");
  const { activations }: Q1Input = family.input(parsed);
  const quants = activations.filter((_, i) => i % 34 >= 2);
  const share = quants.filter((quant) => quant === 128).length / quants.length;
  expect(share).toBeGreaterThan(0.017);
  expect(share).toBeLessThan(0.023);
});

Deno.test("edge scales are what their names say", () => {
  const scaleOf = (kind: string) => {
    const { family, parsed } = caseAt(
      `q1_0_matmul/edge:rows=9,n=256,cols=5,w=${kind},signs=random,a=engine,quants=engine,seed=5`,
    );
    const { weights }: Q1Input = family.input(parsed);
    return Array.from(
      { length: weights.length / 18 },
      (_, i) => f32OfF16(weights[18 * i]! | (weights[18 * i + 1]! << 8)),
    );
  };
  expect(scaleOf("zero").every((scale) => Object.is(scale, 0))).toBe(true);
  expect(scaleOf("negative_zero").every((scale) => Object.is(scale, -0))).toBe(true);
  expect(scaleOf("subnormal").every((scale) => scale !== 0 && Math.abs(scale) < 2 ** -14)).toBe(
    true,
  );
  expect(scaleOf("smallest").every((scale) => Math.abs(scale) === 2 ** -24)).toBe(true);
  expect(scaleOf("largest").every((scale) => Math.abs(scale) === 65504)).toBe(true);
  expect(scaleOf("negative").every((scale) => scale < 0)).toBe(true);
  expect(scaleOf("infinite").some((scale) => Math.abs(scale) === Infinity)).toBe(true);
  expect(scaleOf("nan").some(Number.isNaN)).toBe(true);
});

Deno.test("rows of a layer repeat, and expanding its golden repeats its words", () => {
  const { family, parsed } = caseAt("q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=5,seed=2");
  const input: Q1Input = family.input(parsed);
  expect(input.distinctRows).toBeLessThan(input.rows);
  const stored = Uint32Array.from({ length: input.distinctRows * 5 }, (_, i) => i);
  const words = family.expand(stored, input);
  expect(words.length).toBe(1024 * 5);
  assert.equal(words[3 * 1024 + 700], 3 * input.distinctRows + 700 % input.distinctRows);
});

Deno.test("Bonsai's shapes: every matrix of the three models, heads of 151,936 rows", () => {
  expect(BONSAI["8B"]).toEqual({
    attn_q: { rows: 4096, n: 4096 },
    attn_k: { rows: 1024, n: 4096 },
    attn_output: { rows: 4096, n: 4096 },
    ffn_gate: { rows: 12288, n: 4096 },
    ffn_down: { rows: 4096, n: 12288 },
    output: { rows: 151936, n: 4096 },
  });
  expect(BONSAI["4B"]!.attn_q).toEqual({ rows: 4096, n: 2560 });
  expect(BONSAI["1.7B"]!.ffn_down).toEqual({ rows: 2048, n: 6144 });
});
