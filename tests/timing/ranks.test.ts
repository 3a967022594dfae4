/** Intervals from ranks: their error rates are what they say. */
import { expect } from "expect";
import { mulberry32 } from "../../cases/random.ts";
import { rankSumInterval, signedRankInterval } from "../../tools/timing/ranks.ts";
import { uniformOf } from "./simulated.ts";

const TRIALS = 1000;
const ERROR = 0.05;
// Of 1,000 trials at 5 %: four standard deviations above it is 8 %.
const MOST_MISSES = 0.08 * TRIALS;

const cauchy = (uniform: () => number) => Math.tan(Math.PI * (uniform() - 0.5));

for (const n of [12, 40, 64, 70]) {
  Deno.test(`signed ranks of ${n} Cauchy differences miss zero no oftener than said`, () => {
    const uniform = uniformOf(mulberry32(n));
    let misses = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const { low, high } = signedRankInterval(
        Array.from({ length: n }, () => cauchy(uniform)),
        ERROR,
      );
      if (low > 0 || high < 0) misses++;
    }
    expect(misses).toBeLessThan(MOST_MISSES);
    expect(misses).toBeGreaterThan(0.02 * TRIALS); // and it is no wider than it need be
  });
}

for (const [m, n] of [[10, 15], [32, 32], [40, 40]] as const) {
  Deno.test(`rank sums of ${m} and ${n} two-humped samples miss no oftener than said`, () => {
    const uniform = uniformOf(mulberry32(m));
    const draw = () => (uniform() < 0.5 ? 0 : 1) + 0.1 * uniform();
    let misses = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const before = Array.from({ length: m }, draw);
      const after = Array.from({ length: n }, draw);
      const { low, high } = rankSumInterval(before, after, ERROR);
      if (low > 0 || high < 0) misses++;
    }
    expect(misses).toBeLessThan(MOST_MISSES);
    expect(misses).toBeGreaterThan(0.02 * TRIALS);
  });
}

Deno.test("the critical values are those of the tables", () => {
  // Wilcoxon's signed ranks, n = 10, two-sided 5 %: the statistic must be at most 8.
  const ten = Array.from({ length: 10 }, (_, i) => i + 1);
  const averages = ten.flatMap((a, i) => ten.slice(i).map((b) => (a + b) / 2)).sort((a, b) =>
    a - b
  );
  const signed = signedRankInterval(ten, 0.05);
  expect(signed.low).toBe(averages[8]);
  expect(signed.high).toBe(averages.at(-9));
  // Mann and Whitney's, 8 and 8, two-sided 5 %: at most 13.
  const eight = Array.from({ length: 8 }, (_, i) => i * 1.01);
  const other = Array.from({ length: 8 }, (_, i) => i * 0.97 + 0.3);
  const differences = eight.flatMap((a) => other.map((b) => b - a)).sort((a, b) => a - b);
  const { low, high } = rankSumInterval(eight, other, 0.05);
  expect([low, high]).toEqual([differences[13], differences.at(-14)]);
});

Deno.test("too few samples have no bounds, and no samples no estimate", () => {
  expect(signedRankInterval([1, 2, 3], 0.001)).toEqual({
    low: -Infinity,
    estimate: 2,
    high: Infinity,
  });
  expect(signedRankInterval([], 0.001).estimate).toBeNaN();
  expect(rankSumInterval([1], [2], 0.001)).toEqual({ low: -Infinity, estimate: 1, high: Infinity });
});
