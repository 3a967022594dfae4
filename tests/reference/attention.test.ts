/** Attention's f64 values against exact arithmetic, and its bounds against kernels at their limits. */
import { expect } from "expect";
import type { AttentionInput } from "../../cases/attention/family.ts";
import type { Bounds } from "../../cases/bounded.ts";
import { caseAt } from "../../cases/mod.ts";
import { attention, type AttentionHead } from "../../reference/attention.ts";
import { addF32, divF32, mulF32 } from "../../reference/f32.ts";
import { expError, SMALLEST_NORMAL } from "../../reference/roundings.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { fixed, FIXED_BITS, fixedExp, times } from "../support/exact.ts";
import { smallCases } from "../support/planted.ts";

const HEAD = 128;
const TILE = 64;
const U = 2 ** -24;
const CASES = smallCases("attention", 80_000);

/** The first query head of a case. */
function headOf(address: string): AttentionHead {
  const { family, parsed } = caseAt(address);
  const { kv, query, keys, values, ...rest }: AttentionInput = family.input(parsed);
  const first = (all: Float32Array) => all.filter((_, i) => Math.floor(i / HEAD) % kv === 0);
  return { ...rest, query: query.subarray(0, HEAD), keys: first(keys), values: first(values) };
}

/** Keys that are not masked. */
const liveOf = ({ live }: AttentionHead) => [...live.keys()].filter((key) => live[key] !== 0);

/** Some elements of the result in exact arithmetic. */
function exactElements(head: AttentionHead, places: readonly number[]): bigint[] {
  const { query, keys, values, scale } = head;
  const scores = liveOf(head).map((key) => {
    let sum = 0n;
    query.forEach((q, i) => sum += times(fixed(q), fixed(keys[key * HEAD + i]!)));
    return { key, score: times(sum, fixed(scale)) };
  });
  const highest = scores.reduce((most, { score }) => score > most ? score : most, scores[0]!.score);
  const weights = scores.map(({ score }) => fixedExp(score - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return places.map((place) => {
    const sum = scores.reduce(
      (all, { key }, i) => all + times(weights[i]!, fixed(values[key * HEAD + place]!)),
      0n,
    );
    return (sum << FIXED_BITS) / total;
  });
}

Deno.test("the f64 values are those of exact arithmetic, to 10^-4 of their bounds", () => {
  let seen = 0;
  for (const { address } of CASES) {
    const head = headOf(address);
    if (liveOf(head).length === 0) continue;
    const { values, bounds } = attention(head);
    const places = [0, 77, 127];
    exactElements(head, places).forEach((exact, i) => {
      const off = fixed(values[places[i]!]!) - exact;
      expect((off < 0n ? -off : off) <= fixed(bounds[places[i]!]! * 1e-4)).toBe(true);
      seen++;
    });
  }
  expect(seen).toBe(87);
});

/** How far off a key's weight may be, by the derivation's own words and not by its code. */
function weightError(head: AttentionHead, key: number, scores: readonly number[]): number {
  const { query, keys, scale, live, splits } = head;
  const each = Math.ceil(live.length / splits);
  const size = (of: number) =>
    query.reduce((sum, q, i) => sum + Math.abs(q * keys[of * HEAD + i]!), 0) * scale;
  // 128 products in 16 chains: 8 additions and 4 more, the product, the scale.
  const scoreError = 14 * U * size(key);
  const tilesLeft = Math.ceil(each / TILE) - 1 - Math.floor(key % each / TILE);
  const x = Math.max(...scores.filter((score) => !Number.isNaN(score))) - scores[key]!;
  const stages = 1 + tilesLeft + 1;
  return scoreError + x * U + (3 * stages + 2 * x) * 2 * U;
}

/** In f64: a result whose weights are all as wrong as they may be, to the harm of one element. */
function harmed(head: AttentionHead, right: Bounds, place: number, direction: number): number {
  const { query, keys, values, scale } = head;
  const scores = Array.from(
    head.live,
    (live, key) =>
      live === 0 ? NaN : query.reduce((sum, q, i) => sum + q * keys[key * HEAD + i]!, 0) * scale,
  );
  const highest = Math.max(...scores.filter((score) => !Number.isNaN(score)));
  let total = 0, sum = 0;
  for (const key of liveOf(head)) {
    const value = values[key * HEAD + place]!;
    const side = direction * Math.sign(value - right.values[place]!);
    const weight = Math.exp(scores[key]! - highest) *
      (1 + side * weightError(head, key, scores));
    total += weight;
    sum += weight * value;
  }
  return sum / total;
}

Deno.test("weights that are as wrong as they may be are within the bound, and need most of it", () => {
  const shares = CASES.filter(({ address }) => !address.includes("/mask:")).flatMap(
    ({ address }) => {
      const head = headOf(address);
      const right = attention(head);
      return [3, 100].flatMap((place) =>
        [-1, 1].map((direction) =>
          Math.abs(harmed(head, right, place, direction) - right.values[place]!) /
          right.bounds[place]!
        )
      );
    },
  );
  expect(shares.length).toBe(96);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.max(...shares)).toBeGreaterThan(0.6);
});

const sumF32 = (terms: readonly number[]) => terms.reduce(addF32, 0);

/** Of terms in so many chains, which are joined in pairs. */
function chained(terms: readonly number[], chains: number): number {
  let sums = Array.from(
    { length: chains },
    (_, chain) => sumF32(terms.filter((_, i) => i % chains === chain)),
  );
  while (sums.length > 1) {
    const half = sums.length / 2;
    sums = sums.slice(0, half).map((sum, i) => addF32(sum, sums[i + half]!));
  }
  return sums[0]!;
}

/** A right kernel, rounded to f32 at every step. @param exp what it has for an exponential */
function roundedHead(head: AttentionHead, chains: number, exp: (x: number) => number): Uint32Array {
  const { query, keys, values, live, scale, splits } = head;
  const each = Math.ceil(live.length / splits);
  const parts = Array.from({ length: splits }, (_, split) => {
    let highest = -Infinity, sum = 0, output = new Array<number>(HEAD).fill(0);
    const end = Math.min((split + 1) * each, live.length);
    for (let tile = split * each; tile < end; tile += TILE) {
      const all = Array.from({ length: Math.min(TILE, end - tile) }, (_, i) => tile + i)
        .filter((key) => live[key] !== 0);
      const scores = all.map((key) =>
        mulF32(
          chained(Array.from(query, (q, i) => mulF32(q, keys[key * HEAD + i]!)), chains),
          scale,
        )
      );
      const before = highest;
      highest = Math.max(highest, ...scores);
      if (highest === -Infinity) continue;
      const weights = scores.map((score) => exp(addF32(score, -highest)));
      const factor = before === -Infinity ? 0 : exp(addF32(before, -highest));
      sum = addF32(mulF32(sum, factor), sumF32(weights));
      output = output.map((one, d) =>
        addF32(
          mulF32(one, factor),
          sumF32(all.map((key, i) => mulF32(weights[i]!, values[key * HEAD + d]!))),
        )
      );
    }
    return { highest, sum, output };
  }).filter(({ highest }) => highest > -Infinity);
  const most = Math.max(...parts.map(({ highest }) => highest));
  const factors = parts.map(({ highest }) => exp(addF32(highest, -most)));
  const total = sumF32(parts.map(({ sum }, i) => mulF32(sum, factors[i]!)));
  const result = Float32Array.from(
    { length: HEAD },
    (_, d) => divF32(sumF32(parts.map(({ output }, i) => mulF32(output[d]!, factors[i]!))), total),
  );
  return new Uint32Array(result.buffer);
}

/** Exponentials that WGSL allows: exact but for a rounding, and off by all that they may be. */
const flushed = (y: number) => y < SMALLEST_NORMAL ? 0 : Math.fround(y);
const off = (x: number, part: number) => flushed(Math.exp(x) * (1 + part * expError(x)));
const EXPONENTIALS: readonly ((x: number) => number)[] = [
  (x) => off(x, 0),
  (x) => off(x, 0.9),
  (x) => off(x, -0.9),
  // One way or the other, by the last bits of its argument.
  (x) => off(x, Math.round(x * 2 ** 20) & 1 ? 0.9 : -0.9),
];

Deno.test("kernels whose exponentials are as wrong as they may be are within the bound", () => {
  const shares = CASES.filter(({ address }) => !address.includes("live=none")).map(
    ({ address }) => {
      const head = headOf(address);
      const bounds = attention(head);
      return Math.max(
        ...EXPONENTIALS.map((exp, i) =>
          largestShare(bounds, [roundedHead(head, 16 << i % 2, exp)])
        ),
      );
    },
  );
  expect(shares.length).toBe(29);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.max(...shares)).toBeGreaterThan(0.08);
});

Deno.test("one key of 4,096 that weigh the same is worth ten bounds nearly everywhere", () => {
  const head = headOf("attention/long:heads=1,kv=1,len=4096,splits=8,fill=equal,live=all,seed=500");
  const { values, bounds } = attention(head);
  const worth = Array.from(
    values,
    (value, i) => Math.abs(head.values[4095 * HEAD + i]! - value) / 4096 / bounds[i]!,
  );
  expect(worth.filter((bounds) => bounds > 1).length).toBeGreaterThan(110);
  expect(Math.max(...worth)).toBeGreaterThan(10);
});
