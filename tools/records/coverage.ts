/**
 * Whether the runs of one adapter are its whole plan, each check once.
 *
 * @module
 */
import { counted } from "../report/numbers.ts";
import type { RunRecord, Shard } from "../report/record.ts";
import { adapterName } from "../runner/adapter.ts";
import { countVerdicts } from "../runner/verdict.ts";
import type { Source } from "./read.ts";

/** What is missing of the plan, or there twice. */
export function coverageProblems(sources: readonly Source<RunRecord>[]): string[] {
  const { adapter } = sources[0]!.record;
  const told = [...shardProblems(sources)];
  // Shards that are all there can still be cut at other places.
  if (told.length === 0 && sources.every(isWhole)) told.push(...checkProblems(sources));
  if (countVerdicts(sources.flatMap(({ record }) => record.results)).pass === 0) {
    told.push("not one check passed, so nothing is proved of it. Choose checks that it supports");
  }
  return told.map((text) => `${adapterName(adapter)}: ${text}.`);
}

function isWhole({ record: { complete, results, planned } }: Source<RunRecord>): boolean {
  return complete && results.length === planned;
}

function shardProblems(sources: readonly Source<RunRecord>[]): string[] {
  const cuts = Map.groupBy(sources, ({ record }) => record.plan.shard?.of ?? 1);
  if (cuts.size > 1) {
    const told = [...cuts].map(([of, list]) =>
      `${counted(of, "part")} (${list.map(({ file }) => file).join(", ")})`
    );
    return [
      `its plan was cut into different numbers of parts: ${told.join("; ")}. Remove the ` +
      "records of the former run",
    ];
  }
  const [[of, runs]] = [...cuts] as [[number, Source<RunRecord>[]]];
  const parts = Map.groupBy(runs, ({ record }) => record.plan.shard?.index ?? 1);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !parts.has(index));
  const twice = [...parts].filter(([, list]) => list.length > 1);
  return [
    ...missing.length > 0
      ? [
        `${shardsText(missing, of)} missing: no record is here. Run ${
          missing.length === 1 ? "it" : "them"
        } on this very adapter; another driver or processor can make another adapter`,
      ]
      : [],
    ...twice.map(([index, list]) =>
      `${of === 1 ? "the whole plan" : `shard ${index}/${of}`} was run more than once ` +
      `(${list.map(({ file }) => file).join(", ")}). Keep the record that counts`
    ),
    ...differentCuts(runs.flatMap(({ record }) => record.plan.shard ?? [])),
  ];
}

function shardsText(indices: readonly number[], of: number): string {
  const names = indices.map((index) => `${index}/${of}`);
  return indices.length === 1 ? `shard ${names[0]} is` : `shards ${names.join(", ")} are`;
}

function differentCuts(shards: readonly Shard[]): string[] {
  if (new Set(shards.map(({ durations }) => durations)).size <= 1) return [];
  return [
    "its shards were cut by different durations, so that together they are not the plan. " +
    "Give all of them the same --durations",
  ];
}

/** Every check of the plan must have one verdict. */
function checkProblems(sources: readonly Source<RunRecord>[]): string[] {
  const results = sources.flatMap(({ record }) => record.results);
  const checks = new Set(
    results.map(({ check: { kernel, address, workgroup } }) => `${kernel} ${workgroup} ${address}`),
  );
  const { checks: planned } = sources[0]!.record.plan;
  if (checks.size === planned && results.length === planned) return [];
  return [
    `${counted(planned, "check")} were planned, and the runs have ${results.length} verdicts on ` +
    `${
      counted(checks.size, "check")
    }. The records were changed, or are of different runs: run all ` +
    "shards again",
  ];
}
