/**
 * Cutting a plan into parts that take about the same time.
 *
 * @module
 */
import type { Check } from "./verdict.ts";

/**
 * The checks of one shard, in the plan's order. The longest check goes first, each to the shard that
 * has the least so far: no shard then takes longer than 4/3 of the best cut there is (Graham, 1969).
 * The same plan and the same times give the same shards everywhere, and together they are the plan.
 *
 * @param index from 1
 * @param secondsOf what a check is expected to take
 */
export function shardOf(
  checks: readonly Check[],
  { index, of }: { readonly index: number; readonly of: number },
  secondsOf: (check: Check) => number,
): Check[] {
  const times = checks.map(secondsOf);
  // A stable sort: checks of the same time keep the plan's order.
  const longestFirst = checks.map((_, at) => at).sort((a, b) => times[b]! - times[a]!);
  const loads = Array.from({ length: of }, () => 0);
  const mine = new Set<number>();
  for (const at of longestFirst) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least]! += times[at]!;
    if (least === index - 1) mine.add(at);
  }
  return checks.filter((_, at) => mine.has(at));
}
