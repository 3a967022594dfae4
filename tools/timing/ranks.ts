/**
 * Intervals from ranks: Hodges and Lehmann's estimates with their exact intervals (Hollander, Wolfe
 * and Chicken, Nonparametric Statistical Methods, chapters 3 and 4). They ask nothing of the times'
 * distribution: one slow sample in five, or two humps, makes them wider and not wrong.
 *
 * @module
 */
import { medianSorted, probit } from "statistics";

/** An estimate between its bounds. A bound is infinite where the samples are too few for it. */
export interface Interval {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

/**
 * Up to so many samples (for two lists: so many pairs of them) the distribution of the ranks is
 * counted; beyond, the normal one is as good to four digits.
 */
const EXACT_SAMPLES = 64;
const EXACT_PAIRS = 1024;

/**
 * By how much a list of differences is off zero: Wilcoxon's signed ranks. Exact where each
 * difference is as likely to be turned round, as it is when two equal texts are timed in random
 * order in each round.
 */
export function signedRankInterval(differences: readonly number[], error: number): Interval {
  const n = differences.length;
  if (n === 0) return NOTHING;
  const averages = new Float64Array((n * (n + 1)) / 2);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) averages[at++] = (differences[i]! + differences[j]!) / 2;
  }
  const below = n <= EXACT_SAMPLES ? criticalOf(signedRankCounts(n), error) : Math.floor(
    averages.length / 2 - normalQuantile(error) * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24),
  );
  return between(averages.sort(), below);
}

/**
 * By how much `after` is above `before`: Mann and Whitney's ranks. Exact where both lists come from
 * the same distribution, whatever it is.
 */
export function rankSumInterval(
  before: readonly number[],
  after: readonly number[],
  error: number,
): Interval {
  const m = before.length;
  const n = after.length;
  if (m === 0 || n === 0) return NOTHING;
  const differences = new Float64Array(m * n);
  let at = 0;
  for (const one of before) for (const other of after) differences[at++] = other - one;
  const below = m * n <= EXACT_PAIRS
    ? criticalOf(rankSumCounts(m, n), error)
    : Math.floor((m * n) / 2 - normalQuantile(error) * Math.sqrt((m * n * (m + n + 1)) / 12));
  return between(differences.sort(), below);
}

const NOTHING: Interval = { low: -Infinity, estimate: NaN, high: Infinity };

/** The interval that leaves `below` of the sorted values out on each side. */
function between(sorted: Float64Array, below: number): Interval {
  const estimate = medianSorted(sorted as unknown as number[]);
  if (below < 1) return { low: -Infinity, estimate, high: Infinity };
  return { low: sorted[below - 1]!, estimate, high: sorted[sorted.length - below]! };
}

function normalQuantile(error: number): number {
  return probit(1 - error / 2);
}

/**
 * The largest number of values that may be left out on each side, so that the truth lies outside
 * with no more than the error's probability; 0 where there is none.
 *
 * @param counts ways of each rank sum, from 0 up
 */
function criticalOf(counts: Float64Array, error: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let tail = 0;
  let below = 0;
  while (below < counts.length) {
    tail += counts[below]! / all;
    if (tail > error / 2) break;
    below++;
  }
  return below;
}

/** In how many of the 2^n ways to sign the ranks 1..n the positive ones have each sum. */
function signedRankCounts(n: number): Float64Array {
  const counts = new Float64Array((n * (n + 1)) / 2 + 1);
  counts[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = counts.length - 1; sum >= rank; sum--) counts[sum]! += counts[sum - rank]!;
  }
  return counts;
}

/** In how many ways two lists of m and n values have each number of inversions between them. */
function rankSumCounts(m: number, n: number): Float64Array {
  // Gauss's binomial coefficient (m + n over m), whose coefficients these are: multiply by
  // 1 − q^(n+i), divide by 1 − q^i, for i from 1 to m.
  const counts = new Float64Array(m * n + 1);
  counts[0] = 1;
  for (let i = 1; i <= m; i++) {
    for (let sum = counts.length - 1; sum >= n + i; sum--) counts[sum]! -= counts[sum - n - i]!;
    for (let sum = i; sum < counts.length; sum++) counts[sum]! += counts[sum - i]!;
  }
  return counts;
}
