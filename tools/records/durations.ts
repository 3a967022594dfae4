/**
 * What checks took in former runs: what plans are cut into shards by.
 *
 * @module
 */
import { workOf } from "../runner/plan.ts";
import type { Check } from "../runner/verdict.ts";
import type { RunRecord } from "../report/record.ts";

/** Grows when a reader of older files would misread a new one. */
export const DURATIONS_FORMAT = 1;

/** Seconds of each check, by {@linkcode durationKey}. */
export type Durations = Readonly<Record<string, number>>;

/** The workgroup size is no part of it: it is the adapter's, and shards are cut for all adapters. */
export function durationKey({ kernel, address }: Check): string {
  return `${kernel} ${address}`;
}

/** The mean of what each check took in these runs; an adapter that does not support it takes none. */
export function durationsOf(runs: readonly RunRecord[]): Durations {
  const took = runs.flatMap(({ results }) => results)
    .map(({ check, verdict, seconds }) =>
      [durationKey(check), verdict.kind === "unsupported" ? 0 : seconds] as const
    )
    .filter((one): one is [string, number] => one[1] !== undefined);
  const means = [...Map.groupBy(took, ([key]) => key)].map(([key, list]) =>
    [key, list.reduce((sum, [, seconds]) => sum + seconds, 0) / list.length] as const
  );
  return Object.fromEntries(means.sort(([a], [b]) => a < b ? -1 : 1));
}

/** The clock tells microseconds. Checks that took none would all gather in one shard. */
const LEAST = 1e-6;

/** What a check will take; one that is not known of, as its weight products are to the known ones'. */
export function estimator(
  durations: Durations,
  plan: readonly Check[],
): (check: Check) => number {
  const known = plan.filter((check) => durationKey(check) in durations);
  const seconds = known.reduce((sum, check) => sum + durations[durationKey(check)]!, 0);
  const work = known.reduce((sum, { address }) => sum + workOf(address), 0);
  // Where nothing is known, any unit does: only the shares count.
  const secondsOfWork = known.length > 0 ? seconds / work : 1;
  return (check) =>
    Math.max(LEAST, durations[durationKey(check)] ?? workOf(check.address) * secondsOfWork);
}

/** The file of them: one check a line. */
export function durationsText(durations: Durations): string {
  // Microseconds, as they are measured; a mean has no more digits to tell.
  const lines = Object.entries(durations)
    .map(([key, seconds]) => `    ${JSON.stringify(key)}: ${Number(seconds.toFixed(6))}`);
  return `{\n  "format": ${DURATIONS_FORMAT},\n  "seconds": {\n${lines.join(",\n")}\n  }\n}\n`;
}
