/** ATTENTION within its bounds, and faults that they notice. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

// All that run without being asked for.
const CASES = smallCases("attention", 2e6 - 1);

Deno.test("ATTENTION is within its bounds, and uses some of them", async () => {
  const results = await resultsOf(kernelNamed("ATTENTION"), CASES);
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBe(40);
  const shares = results.map(({ verdict }) => verdict.kind === "pass" ? verdict.share! : NaN);
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  expect(Math.max(...shares)).toBeGreaterThan(0.05);
});

Deno.test("where no key is live the result is 0, and nothing else is right", () => {
  const { family, parsed } = caseAt(
    "attention/mask:heads=2,kv=1,len=150,splits=4,fill=layer,live=none,seed=401",
  );
  const input = family.input(parsed);
  const { values, bounds } = family.bounds!(family.reference(input), input);
  expect(values.length).toBe(256);
  expect(values.every((value) => value === 0) && bounds.every((bound) => bound === 0)).toBe(true);
});

Deno.test("heads of keys that queries cannot share evenly are refused", () => {
  expect(() => caseAt("attention/size:heads=3,kv=2,len=1,splits=1,fill=layer,live=all,seed=1"))
    .toThrow(/3 query heads cannot share 2 heads of keys evenly/);
});

const EQUAL = /long:heads=1,kv=1,len=4096,splits=8,fill=equal/;
const LAYER = /layer:heads=32/;

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the last key of 4,096 dropped",
    replace: [["let end = min(first + each, p.len)", "let end = min(first + each, p.len - 1u)"]],
    on: EQUAL,
  },
  {
    name: "one key of 4,096 weighed twice",
    replace: [["key < end", "key < end + 1u"], [
      "min(TILE, end - tile)",
      "min(TILE, end + 1u - tile)",
    ]],
    on: /len=200,splits=7/,
  },
  {
    name: "a weight of 4,096 off by a twentieth",
    replace: [[
      "weights[local] = select(",
      "weights[local] = select(1.0, 1.05, key == 700u) * select(",
    ]],
    on: EQUAL,
  },
  {
    name: "the last split lost",
    replace: [[
      "for (var i = 0u; i < p.splits; i++) {\n    let part",
      "for (var i = 0u; i + 1u < p.splits; i++) {\n    let part",
    ]],
    on: /split:.*len=200,splits=7/,
  },
  {
    name: "the last split lost of the maximum",
    replace: [[
      "for (var i = 0u; i < p.splits; i++) {\n    highest",
      "for (var i = 0u; i + 1u < p.splits; i++) {\n    highest",
    ]],
    // Elsewhere any number will do for a maximum, as long as nothing overflows.
    on: /live=last_fifth/,
  },
  {
    name: "the output not rescaled when the maximum moves",
    replace: [["output *= factor;", ""]],
    on: /size:heads=2,kv=1,len=200/,
  },
  {
    name: "the sum not rescaled when the maximum moves",
    replace: [["sum *= factor;", ""]],
    on: /size:heads=2,kv=1,len=200/,
  },
  {
    name: "a tile's maximum over 42 keys of 64",
    replace: [["TILE / 2u; half", "TILE / 3u; half"]],
    on: /fill=peaks/,
  },
  {
    name: "a tile's maximum without the first of the second half",
    replace: [["maxima[local + half]", "maxima[min(local + half + 1u, TILE - 1u)]"]],
    on: /fill=peaks/,
  },
  {
    name: "the maximum of the next head's first split, too",
    replace: [["i < p.splits; i++) {\n    highest", "i <= p.splits; i++) {\n    highest"]],
    on: /fill=opposite/,
  },
  {
    name: "splits not brought to one maximum",
    replace: [["let factor = rescale(split_parts[part + MAXIMUM], highest)", "let factor = 1.0"]],
    on: /split:.*len=200,splits=2/,
  },
  {
    name: "rescaled the other way round",
    replace: [["let factor = rescale(maximum, highest)", "let factor = rescale(highest, maximum)"]],
    on: /size:heads=2,kv=1,len=200/,
  },
  {
    name: "no maximum",
    replace: [["exp(score - highest)", "exp(score)"], ["rescale(maximum, highest)", "1.0"], [
      "rescale(split_parts[part + MAXIMUM], highest)",
      "1.0",
    ]],
    on: /fill=huge/,
  },
  {
    name: "no maximum, of scores that underflow",
    replace: [["exp(score - highest)", "exp(score)"], ["rescale(maximum, highest)", "1.0"], [
      "rescale(split_parts[part + MAXIMUM], highest)",
      "1.0",
    ]],
    on: /fill=opposite/,
  },
  {
    name: "the neighbour's head of keys",
    replace: [["group.y / p.shared_by", "(group.y / p.shared_by) ^ 1u"]],
    on: LAYER,
  },
  {
    name: "query heads dealt to heads of keys in turn",
    replace: [["group.y / p.shared_by", "group.y % p.kv"]],
    on: LAYER,
  },
  {
    name: "the neighbour's query",
    replace: [["score_of(group.y * FOURS", "score_of((group.y ^ 1u) * FOURS"]],
    on: LAYER,
  },
  {
    name: "the value of the next key",
    replace: [["let at = ((tile + i) * p.kv", "let at = (min(tile + i + 1u, p.len - 1u) * p.kv"]],
    on: EQUAL,
  },
  {
    name: "the scale left out",
    replace: [["(four.z + four.w)) * p.scale", "(four.z + four.w))"]],
    on: /layer:heads=16/,
  },
  {
    name: "a scale of 1 / 11.314",
    replace: [["(four.z + four.w)) * p.scale", "(four.z + four.w)) / 11.314"]],
    on: /size:heads=2,kv=1,len=2,|layer:heads=16/,
  },
  {
    name: "one product of 128 left out",
    replace: [[
      "let four =",
      "sums[3].w -= Q[query + FOURS - 1u].w * K[key + FOURS - 1u].w;\n  let four =",
    ]],
    on: /layer:heads=16/,
  },
  {
    name: "the mask left out",
    replace: [["key < end && live[key] != 0u", "key < end"]],
    on: /live=half/,
  },
  {
    name: "the mask of the next key",
    replace: [["live[key]", "live[min(key + 1u, p.len - 1u)]"]],
    on: /live=one/,
  },
  {
    name: "no live key at all divided by",
    replace: [["select(sum, 1.0, highest == NONE)", "sum"]],
    on: /live=none/,
  },
  {
    name: "masked keys weighed where no key is live",
    replace: [[", 0.0, score == NONE)", ", 0.0, false)"], [
      ", 0.0, before == NONE)",
      ", 0.0, false)",
    ]],
    on: /live=none/,
  },
  {
    name: "weights rounded to f16 on the way",
    replace: [[
      "weights[i] * vec2",
      "unpack2x16float(pack2x16float(vec2<f32>(weights[i], 0.0))).x * vec2",
    ]],
    on: /layer:heads=16/,
  },
  {
    name: "queries rounded to f16 on the way",
    replace: [[
      "sums[0] += Q[query + i] *",
      "sums[0] += vec4<f32>(unpack2x16float(pack2x16float(Q[query + i].xy)), Q[query + i].zw) *",
    ]],
    on: /layer:heads=16/,
  },
  {
    name: "values rounded to f16 on the way",
    replace: [[
      "weights[i] * vec2<f32>(V[at], V[at + TILE])",
      "weights[i] * unpack2x16float(pack2x16float(vec2<f32>(V[at], V[at + TILE])))",
    ]],
    on: /layer:heads=16/,
  },
  {
    name: "exp2 with log2 e to four digits",
    replace: [["exp(score - highest)", "exp2(1.443 * (score - highest))"]],
    on: /fill=rising|layer:heads=16/,
  },
  {
    name: "the barrier's tile: weights of the tile before",
    replace: [[
      "tile_sum += weights[i];",
      "tile_sum += select(weights[i], 1.0, i == 63u && tile > first);",
    ]],
    on: /size:heads=2,kv=1,len=200/,
  },
  {
    name: "one element of the output not written",
    replace: [[
      "  O[group.x * HEAD + local + TILE] =",
      "  O[group.x * HEAD + max(local, 1u) + TILE] =",
    ]],
    on: /size:heads=2,kv=1,len=64/,
  },
  {
    name: "a part past the end written",
    replace: [[
      "  if (local == 0u) {\n",
      "  if (local == 0u) {\n    parts[p.splits * (group.y + 1u) * PART] = 0.0;\n",
    ]],
    on: /size:heads=2,kv=1,len=64/,
  },
];
testFaults("attention", FAULTS.map((fault) => ({ ...fault, kernel: "ATTENTION" })), CASES);
