/**
 * The part of a plan that `--shard` asks for.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { durationKey, type Durations, estimator } from "../records/durations.ts";
import { readDurations } from "../records/durations_file.ts";
import { counted } from "../report/numbers.ts";
import type { Shard } from "../report/record.ts";
import { shardOf } from "../runner/shard.ts";
import type { Check } from "../runner/verdict.ts";
import { sha256Hex } from "../timing/sha256.ts";
import type { GateOptions } from "./gate_options.ts";

export interface Part {
  readonly checks: readonly Check[];
  /** Absent where the part is the whole. */
  readonly shard?: Shard;
  /** For the terminal. */
  readonly line?: string;
}

/** @throws {Failure} where the part is empty, and must not be */
export async function partOf(whole: readonly Check[], options: GateOptions): Promise<Part> {
  const { shard, durations: file, mayBeEmpty } = options;
  if (!shard) {
    refuseWithoutShard(options);
    return { checks: whole };
  }
  const durations = await readDurations(file);
  const secondsOf = estimator(durations, whole);
  const checks = shardOf(whole, shard, secondsOf);
  const { index, of } = shard;
  if (checks.length === 0 && !mayBeEmpty) {
    throw new Failure(
      EXIT.nothing,
      `Nothing to run: shard ${index}/${of} is empty, and the plan has ` +
        `${
          counted(whole.length, "check")
        } to share out. Cut it into fewer parts, or give every shard --may-be-empty.`,
    );
  }
  return {
    checks,
    shard: { index, of, durations: await sha256Hex(JSON.stringify(durations)) },
    line: partLine(whole, checks, shard, durations, secondsOf),
  };
}

function refuseWithoutShard({ durations, mayBeEmpty }: GateOptions): void {
  if (durations === undefined && !mayBeEmpty) return;
  throw new Failure(
    EXIT.usage,
    `Cannot use ${durations === undefined ? "--may-be-empty" : "--durations"} without --shard: ` +
      "nothing is cut. Add --shard, or leave it out.",
  );
}

function partLine(
  whole: readonly Check[],
  checks: readonly Check[],
  { index, of }: { readonly index: number; readonly of: number },
  durations: Durations,
  secondsOf: (check: Check) => number,
): string {
  const total = (list: readonly Check[]) => list.reduce((sum, check) => sum + secondsOf(check), 0);
  const unknown = whole.filter((check) => !(durationKey(check) in durations)).length;
  const share = `${(100 * total(checks) / total(whole)).toFixed(0)} % of the time that is expected`;
  const estimated = unknown === 0
    ? ""
    : `; ${counted(unknown, "check")} not timed yet, taken by work`;
  return `${index} of ${of}: ${counted(checks.length, "check")}, ${share}${estimated}`;
}
