/**
 * Cutting a plan into parts that take about the same time.
 *
 * @module
 */
import type { Check } from "./verdict.ts";

/**
 * The checks of one shard, in the plan's order. All checks of a case stay together: they share its
 * input. The longest case goes first, each to the shard that has the least so far; no shard then
 * takes longer than 4/3 of the best cut there is (Graham, 1969). The same plan and the same times
 * give the same shards everywhere, and together they are the plan.
 *
 * @param index from 1
 * @param secondsOf what a check is expected to take
 */
export function shardOf(
  checks: readonly Check[],
  { index, of }: { readonly index: number; readonly of: number },
  secondsOf: (check: Check) => number,
): Check[] {
  const cases = [...Map.groupBy(checks, ({ address }) => address)].map(([address, list]) => ({
    address,
    seconds: list.reduce((sum, check) => sum + secondsOf(check), 0),
  }));
  const loads = Array.from({ length: of }, () => 0);
  const mine = new Set<string>();
  // A stable sort: cases of the same time keep the plan's order.
  for (const { address, seconds } of cases.sort((a, b) => b.seconds - a.seconds)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least]! += seconds;
    if (least === index - 1) mine.add(address);
  }
  return checks.filter(({ address }) => mine.has(address));
}
