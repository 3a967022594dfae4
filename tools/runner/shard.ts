/**
 * Cutting a plan into parts that take about the same time.
 *
 * @module
 */
import type { Check } from "./verdict.ts";

/** Checks that go to the same shard. */
interface Unit {
  /** Their places in the plan. */
  readonly places: readonly number[];
  readonly seconds: number;
}

/**
 * The checks of one shard, in the plan's order. The longest unit goes first, each to the shard that
 * has the least so far; no shard then takes longer than 4/3 of the best cut there is (Graham, 1969).
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
  const loads = Array.from({ length: of }, () => 0);
  const mine = new Set<number>();
  // A stable sort: units of the same time keep the plan's order.
  const longestFirst = unitsOf(checks, of, secondsOf).sort((a, b) => b.seconds - a.seconds);
  for (const { places, seconds } of longestFirst) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least]! += seconds;
    if (least === index - 1) { for (const place of places) mine.add(place); }
  }
  return checks.filter((_, place) => mine.has(place));
}

/** The checks of a case share its input; only a case that is longer than a shard is taken apart. */
function unitsOf(
  checks: readonly Check[],
  of: number,
  secondsOf: (check: Check) => number,
): Unit[] {
  const times = checks.map(secondsOf);
  const sum = (places: readonly number[]) => places.reduce((all, place) => all + times[place]!, 0);
  const share = sum([...checks.keys()]) / of;
  const cases = Map.groupBy(checks.keys(), (place) => checks[place]!.address).values();
  return [...cases].flatMap((places) =>
    sum(places) <= share
      ? [{ places, seconds: sum(places) }]
      : places.map((place) => ({ places: [place], seconds: times[place]! }))
  );
}
