/** Shards are the plan: all of it, nothing twice, the same everywhere, and about as long. */
import { expect } from "expect";
import { quickCases } from "../../cases/mod.ts";
import { below, mulberry32 } from "../../cases/random.ts";
import { type Durations, durationsOf, estimator } from "../../tools/records/durations.ts";
import { planChecks, workOf } from "../../tools/runner/plan.ts";
import { shardOf } from "../../tools/runner/shard.ts";
import type { Check } from "../../tools/runner/verdict.ts";
import { RECORD, result } from "../report/record.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";

const PLAN = planChecks(ENGINE_KERNELS, quickCases(), [8, 32]);

type Cut = typeof shardOf;

function shardsOf(
  plan: readonly Check[],
  of: number,
  secondsOf: (check: Check) => number,
  cut: Cut = shardOf,
) {
  return Array.from({ length: of }, (_, i) => cut(plan, { index: i + 1, of }, secondsOf));
}

const total = (checks: readonly Check[], secondsOf: (check: Check) => number) =>
  checks.reduce((sum, check) => sum + secondsOf(check), 0);

/** What is wrong with a cut, drawn from a seed: part of the plan, number of shards, times. */
function complaint(seed: number, cut: Cut = shardOf): string | undefined {
  const random = mulberry32(seed);
  const plan = PLAN.filter(() => below(random, 10) < 3);
  const of = 1 + below(random, 20);
  // Times as they are: most short, a few very long, some none at all.
  const times = new Map(PLAN.map(({ address }) => [address, (below(random, 10) / 9) ** 8]));
  const secondsOf = ({ address }: Check) => times.get(address)!;
  expect(plan.length).toBeGreaterThan(300);
  const shards = shardsOf(plan, of, secondsOf, cut);
  const place = new Map(plan.map((check, i) => [check, i]));
  const places = shards.flat().map((check) => place.get(check));
  if (places.includes(undefined)) return "a check that is not in the plan";
  if (new Set(places).size < places.length) return "a check is in two shards";
  if (places.length < plan.length) return "a check is in no shard";
  for (const shard of shards) {
    const order = shard.map((check) => place.get(check)!);
    if (order.some((at, i) => i > 0 && at < order[i - 1]!)) return "not in the plan's order";
  }
  const share = total(plan, secondsOf) / of;
  const homes = Map.groupBy(
    shards.flatMap((shard, i) => shard.map((check) => ({ check, i }))),
    ({ check }) => check.address,
  );
  const apart = [...homes.values()].filter((list) => new Set(list.map(({ i }) => i)).size > 1);
  // What is longer than a shard may be taken apart.
  if (apart.some((list) => total(list.map(({ check }) => check), secondsOf) <= share)) {
    return "a short case is in two shards";
  }
  // No shard gets anything more while it has more than the mean, and nothing is longer than a share
  // but single checks.
  const bound = share + Math.max(share, ...plan.map(secondsOf));
  const longest = Math.max(...shards.map((shard) => total(shard, secondsOf)));
  if (longest > bound + 1e-9) return "a shard is too long";
  return undefined;
}

Deno.test("the shards of any plan are the plan, short cases in one of them, none too long", () => {
  for (let seed = 1; seed <= 300; seed++) {
    expect([seed, complaint(seed)]).toEqual([seed, undefined]);
  }
});

const BAD_CUTS: Readonly<Record<string, Cut>> = {
  "a check is in no shard": (checks, shard, times) => shardOf(checks, shard, times).slice(1),
  "a check is in two shards": (checks, { of }, times) => shardOf(checks, { index: 1, of }, times),
  "not in the plan's order": (...args) => shardOf(...args).reverse(),
  "a short case is in two shards": (checks, { index, of }) =>
    checks.filter((_, i) => i % of === index - 1),
  // By count, as if all took as long.
  "a shard is too long": (checks, shard) => shardOf(checks, shard, () => 1),
};

for (const [says, cut] of Object.entries(BAD_CUTS)) {
  Deno.test(`a bad cut is noticed: ${says}`, () => {
    const found = Array.from({ length: 50 }, (_, seed) => complaint(seed + 1, cut));
    expect(found).toContain(says);
  });
}

Deno.test("the whole is its one shard", () => {
  expect(shardOf(PLAN, { index: 1, of: 1 }, () => 1)).toEqual(PLAN);
});

Deno.test("more shards than checks leave shards empty", () => {
  const one = PLAN.slice(0, 2);
  expect(shardsOf(one, 3, () => 1).map(({ length }) => length)).toEqual([1, 1, 0]);
});

Deno.test("a case that is longer than a shard is taken apart", () => {
  const long = PLAN[0]!.address;
  const secondsOf = ({ address }: Check) => address === long ? 1000 : 1;
  const lengths = shardsOf(PLAN, 3, secondsOf).map((shard) =>
    shard.filter(({ address }) => address === long).length
  );
  // Q1_DOT has one size, the other two run at two sizes each: five checks.
  expect(lengths).toEqual([2, 2, 1]);
});

Deno.test("durations: the mean over adapters, nothing where a check is unsupported", () => {
  const run = (seconds: number) => ({
    ...RECORD,
    results: [
      { ...result("Q1_DOT", { kind: "pass", words: 1 }, "a"), seconds },
      result("Q1_MM", { kind: "unsupported", reason: "too large" }, "a"),
      result("Q1_MM4", { kind: "error", ran: false, message: "no" }, "a"),
    ],
  });
  expect(durationsOf([run(1), run(4)])).toEqual({ "Q1_DOT a": 2.5, "Q1_MM a": 0 });
});

Deno.test("a check that is not known of takes as long as its work among the known ones", () => {
  const [known, unknown] = [PLAN[0]!, PLAN.at(-1)!];
  const durations: Durations = { [`${known.kernel} ${known.address}`]: 2 };
  const secondsOf = estimator(durations, [known, unknown]);
  expect(secondsOf(known)).toBe(2);
  expect(secondsOf(unknown)).toBeCloseTo(2 * workOf(unknown.address) / workOf(known.address));
  expect(estimator({}, PLAN)(unknown)).toBeGreaterThan(0);
});

Deno.test("checks that took no time are shared out too", () => {
  const none = Object.fromEntries(PLAN.map(({ kernel, address }) => [`${kernel} ${address}`, 0]));
  const lengths = shardsOf(PLAN, 4, estimator(none, PLAN)).map(({ length }) => length);
  expect(Math.min(...lengths)).toBeGreaterThan(PLAN.length / 5);
});
