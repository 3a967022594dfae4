/** DECODE_LAYER: a chain of the families' own texts; a fault is named by the step that it is in. */
import { expect } from "expect";
import { allCases, caseAt } from "../../cases/mod.ts";
import { layerSteps, stepAt } from "../../cases/decode_layer/steps.ts";
import type { Binding, Dispatch, Kernel } from "../../kernels/kernel.ts";
import { mixExact, scoreScale, scoresExact } from "../../reference/attention_exact.ts";
import { type Fault, kernelNamed, plant } from "../support/faults.ts";
import { resultsOf } from "../support/planted.ts";

const CHAIN = kernelNamed("DECODE_LAYER");
const TWO_TOKENS = caseAt(
  "decode_layer/small:hidden=128,intermediate=256,heads=4,kv=2,head=128,context=12,tokens=2,seed=3",
);
const INPUT = TWO_TOKENS.family.input(TWO_TOKENS.parsed);

Deno.test("DECODE_LAYER is right, every intermediate of it", async () => {
  const cases = allCases().filter(({ family, parsed }) =>
    family.name === "decode_layer" && !family.isLarge(parsed)
  );
  const results = await resultsOf(CHAIN, cases);
  expect(results.length).toBe(4);
  for (const { check, verdict } of results) {
    const { family, parsed } = caseAt(check.address);
    const { rows } = family.grid(family.input(parsed));
    expect(verdict).toEqual({ kind: "pass", words: rows });
  }
});

Deno.test("the output has a place for each step, and no word is in two", () => {
  const steps = layerSteps(INPUT);
  let next = 0;
  for (const { first, words } of steps) {
    expect(first).toBe(next);
    next += words;
  }
  expect(next).toBe(TWO_TOKENS.family.grid(INPUT).rows);
  expect(steps.length).toBe(2 + 2 * 23);
  const mix = steps.find(({ name }) => name === "mix 1")!;
  expect(stepAt(INPUT, mix.first + 5)).toEqual({ name: "mix 1", at: 5, words: "f32" });
  expect(stepAt(INPUT, mix.first + mix.words).words).toBe("u32"); // mix_quants 1
  expect(stepAt(INPUT, next - 1))
    .toEqual({ name: "values", at: 14 * 2 * 128 - 1, words: "f32" });
});

Deno.test("every dispatch writes one step, and most run another kernel's text", () => {
  const dispatches = CHAIN.prepare(INPUT, 64);
  const written = dispatches.map(({ bindings }) =>
    bindings.filter((one) => one.kind === "scratch" && one.access === "write").length
  );
  expect(new Set(written)).toEqual(new Set([1]));
  const others = dispatches.filter(({ kernel }) => kernel !== undefined);
  expect([dispatches.length, others.length]).toEqual([2 + 2 * 25, 2 * 19]);
});

Deno.test("attention by hand: two query heads that share one of keys and values", () => {
  const shape = { head: 2, heads: 2, kvHeads: 1 };
  const keys = Float32Array.of(1, 2, 3, 4);
  // 4 / √2 is 2.828…; the scale is rounded before the product.
  const scale = scoreScale(2);
  expect(scale).toBe(Math.fround(1 / Math.fround(Math.SQRT2)));
  expect([...scoresExact(shape, Float32Array.of(2, 1, 0, 1), keys, 2)])
    .toEqual([4, 10, 2, 4].map((sum) => Math.fround(sum * scale)));
  expect([...mixExact(shape, Float32Array.of(1, 0, 0.25, 0.75), keys, 2)])
    .toEqual([1, 2, 2.5, 3.5]);
});

Deno.test("the second token sees what the first one wrote into the cache", () => {
  const { family } = TWO_TOKENS;
  const words = family.reference(INPUT);
  const other = family.reference({
    ...INPUT,
    x: [INPUT.x[0]!.map((word: number) => word ^ 0x80000000), INPUT.x[1]!],
  });
  const steps = layerSteps(INPUT).filter(({ first, words: count }) =>
    words.slice(first, first + count).some((word, i) => word !== other[first + i])
  ).map(({ name }) => name);
  expect(steps).toContain("scores 1");
  expect(steps).not.toContain("rope_k 1");
});

/** The step of the first wrong word, or `past its end` where only guards are hurt. */
async function firstWrong(kernel: Kernel): Promise<string> {
  const [result] = await resultsOf(kernel, [TWO_TOKENS]);
  const { verdict } = result!;
  if (verdict.kind !== "differ") return verdict.kind;
  return verdict.mismatch.part?.name ?? "past its end";
}

/** The chain with a fault in the text of one of its steps' kernels. */
function inStep(kernel: string, ...replace: Fault["replace"]): Kernel {
  const planted = plant({ name: "in a step", kernel, replace });
  return {
    ...CHAIN,
    prepare: (input, workgroup) =>
      CHAIN.prepare(input, workgroup).map((dispatch): Dispatch =>
        dispatch.kernel?.name === kernel ? { ...dispatch, kernel: planted } : dispatch
      ),
  };
}

/** The chain with other bindings in the dispatch that writes a step. */
function rebound(step: string, change: (binding: Binding) => Binding): Kernel {
  const writes = (binding: Binding) =>
    binding.kind === "scratch" && binding.access === "write" && binding.name === step;
  return {
    ...CHAIN,
    prepare: (input, workgroup) => {
      const dispatches = CHAIN.prepare(input, workgroup);
      expect(dispatches.filter(({ bindings }) => bindings.some(writes)).length).toBe(1);
      return dispatches.map((dispatch) =>
        dispatch.bindings.some(writes)
          ? { ...dispatch, bindings: dispatch.bindings.map(change) }
          : dispatch
      );
    },
  };
}

/** The chain with a fault in its own text. */
const own = (...replace: Fault["replace"]) =>
  plant({ name: "in its own text", kernel: "DECODE_LAYER", replace });

const FAULTS: readonly (readonly [name: string, kernel: () => Kernel, step: string])[] = [
  [
    "the cache one position before",
    () => own(["O[p.position *", "O[(max(p.position, 1u) - 1u) *"]),
    "scores 0",
  ],
  [
    "heads of keys and values in turn",
    () => own(["query_head / (p.heads / p.kv_heads)", "query_head % p.kv_heads"]),
    "scores 0",
  ],
  [
    "the residual forgotten",
    () => own(["add_tame(tame(A[id.x]), tame(B[id.x]))", "tame(B[id.x])"]),
    "attn_residual 0",
  ],
  [
    "the scale before the sum",
    () =>
      own([
        "mul_tame(tame(A[query_head * p.head + d]), tame(B[keys_at + d]))",
        "mul_tame(mul_tame(tame(A[query_head * p.head + d]), p.scale), tame(B[keys_at + d]))",
      ], ["= mul_tame(sum, p.scale)", "= sum"]),
    "scores 0",
  ],
  [
    "positions mixed from the last one on",
    () =>
      own([
        "let value = tame(B[cached_at(position, query_head)",
        `let turned = p.count - 1u - position;
    let value = tame(B[cached_at(turned, query_head)`,
      ], ["query_head * p.count + position], value", "query_head * p.count + turned], value"]),
    "mix 0",
  ],
  [
    "the last position not looked at",
    () => own(["position < p.count; position++", "position + 1u < p.count; position++"]),
    "mix 0",
  ],
  [
    "softmax's order of summation",
    () =>
      inStep("SOFTMAX_EXACT", [
        "for (var half = WG / 2u; half > 0u; half /= 2u) {\n    if (local < half) {\n      chains",
        "for (var half = 1u; half < WG; half *= 2u) {\n    if (local % (2u * half) == 0u) {\n      chains",
      ]),
    "softmax 0",
  ],
  [
    "one rotary position too far",
    () => inStep("ROPE_EXACT", ["(p.position + token)", "(p.position + token + 1u)"]),
    "rope_q 0",
  ],
  [
    "quants up to 128",
    () => inStep("Q8_QUANTIZE", ["Number(127u << 17u, 6)", "Number(LEADING, 7)"]),
    "attn_quants 0",
  ],
  [
    "the second token's residual from the first token",
    () =>
      rebound(
        "attn_residual 1",
        (one) => one.kind === "input" ? { ...one, bytes: new Uint8Array(INPUT.x[0]!.buffer) } : one,
      ),
    "attn_residual 1",
  ],
  [
    "the up projection for the gate's",
    () =>
      rebound(
        "ffn_gate 0",
        (one) => one.kind === "input" ? { ...one, bytes: INPUT.matrices.ffn_up } : one,
      ),
    "ffn_gate 0",
  ],
];
for (const [name, kernel, step] of FAULTS) {
  Deno.test(`DECODE_LAYER, planted: ${name}`, async () => {
    expect(await firstWrong(kernel())).toBe(step);
  });
}
