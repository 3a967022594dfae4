/** Verdicts on simulated machines: no false alarm, and what was planted is found. */
import { expect } from "expect";
import { comparisons } from "../../tools/timing/ab.ts";
import { benchResults, type Timed } from "../../tools/timing/bench_record.ts";
import { compare, type Comparison, LEAST_SAMPLES } from "../../tools/timing/decide.ts";
import { verdictText } from "../../tools/report/times.ts";
import { MACHINES, simulate } from "./simulated.ts";

const ROUNDS = 120;
const RUNS = 200;
const DETECT = 0.05;

function sideBySide(name: string, factor: number, seed: number): Comparison {
  const [a, again, b] = simulate(MACHINES[name]!, [1, 1, factor], ROUNDS, seed);
  return comparisons({ "A": a!, "A again": again!, "B": b! }, DETECT).comparison;
}

function kinds(results: readonly Comparison[]) {
  const count = (kind: string) => results.filter(({ verdict }) => verdict.kind === kind).length;
  return { slower: count("slower"), faster: count("faster") };
}

for (const name of Object.keys(MACHINES)) {
  Deno.test(`side by side, ${name}: 200 comparisons of equal texts raise no alarm`, () => {
    const results = Array.from({ length: RUNS }, (_, seed) => sideBySide(name, 1, seed));
    expect(kinds(results)).toEqual({ slower: 0, faster: 0 });
  });
}

for (const name of ["quiet", "heavy tails", "drift"]) {
  Deno.test(`side by side, ${name}: 5 % slower and 5 % faster are found`, () => {
    const runs = Array.from({ length: 100 }, (_, seed) => seed);
    expect(kinds(runs.map((seed) => sideBySide(name, 1.05, seed))).slower).toBeGreaterThan(95);
    expect(kinds(runs.map((seed) => sideBySide(name, 1 / 1.05, seed))).faster).toBeGreaterThan(95);
  });
}

Deno.test("side by side, two humps: 5 % cannot be told, and 40 % are found", () => {
  const result = sideBySide("two humps", 1.05, 1);
  expect(result.verdict.kind).toBe("inconclusive");
  expect(verdictText(result)).toMatch(/more samples would tell \(120 now\)|no number of samples/);
  expect(sideBySide("two humps", 1.4, 1).verdict.kind).toBe("slower");
});

/** A bench of some works, each sitting a little off, as placement in memory makes it. */
function bench(name: string, factor: number, seed: number): Timed[] {
  return Array.from({ length: 6 }, (_, work) => ({
    target: { id: `${work}`, kernel: "K", address: "a", workgroup: 1 },
    text: "t",
    bytes: 1,
    readBytes: 1,
    clock: "timestamps",
    repeats: 1,
    sittings: Array.from({ length: 3 }, (_, sitting) => {
      const [ns, cal] = simulate(
        MACHINES[name]!,
        [factor, 1],
        40,
        seed * 100 + work * 10 + sitting,
      );
      const off = 1 + 0.02 * Math.sin(seed * 7.7 + work * 3.3 + sitting * 5.1);
      return { ns: ns!.ns.map((one) => one * off), read: cal!.ns, arithmetic: cal!.ns };
    }),
  }));
}

function against(name: string, factor: number, seed: number): Comparison[] {
  const entries = bench(name, 1, seed).map((one) => [one.target.id, { ...one, history: [] }]);
  return benchResults(bench(name, factor, seed + 1), Object.fromEntries(entries), DETECT)
    .map(({ comparison }) => comparison!);
}

for (const name of Object.keys(MACHINES)) {
  Deno.test(`against a baseline, ${name}: 180 comparisons of equal texts raise no alarm`, () => {
    const results = Array.from({ length: 30 }, (_, i) => against(name, 1, 2 * i)).flat();
    expect(results.length).toBe(180);
    expect(kinds(results)).toEqual({ slower: 0, faster: 0 });
  });
}

Deno.test("against a baseline, quiet: 15 % slower are found", () => {
  const results = Array.from({ length: 10 }, (_, i) => against("quiet", 1.15, 2 * i)).flat();
  expect(kinds(results).slower).toBeGreaterThan(54);
});

Deno.test("the whole interval must lie beyond the noise", () => {
  const kind = (low: number, high: number, noise: number) =>
    compare({ low, estimate: (low + high) / 2, high }, noise, 0.05, 50).verdict.kind;
  expect(kind(0.03, 0.05, 0.02)).toBe("slower");
  expect(kind(0.03, 0.045, 0.035)).toBe("no change"); // within what is looked for
  expect(kind(0.03, 0.07, 0.035)).toBe("inconclusive");
  expect(kind(-0.05, -0.03, 0.02)).toBe("faster");
  expect(kind(-0.01, 0.01, 0)).toBe("no change");
  expect(kind(0.004, 0.006, 0)).toBe("no change"); // below the least noise
});

Deno.test("an inconclusive comparison says what it would take", () => {
  const wide = compare({ low: -0.06, estimate: 0, high: 0.06 }, 0, 0.05, 100);
  expect(verdictText(wide)).toMatch(
    /^inconclusive: about 5\d more samples would tell \(100 now\)$/,
  );
  const hidden = compare({ low: 0.02, estimate: 0.08, high: 0.14 }, 0.1, 0.05, 100);
  expect(verdictText(hidden)).toBe(
    "inconclusive: equal texts differ by up to 10.5 % here, so no number of samples tells 5.00 %",
  );
  const few = compare({ low: -Infinity, estimate: 0.3, high: Infinity }, 0, 0.05, 4);
  expect(verdictText(few)).toBe("inconclusive: about 7 more samples would tell (4 now)");
  expect(LEAST_SAMPLES).toBe(11);
});
