/**
 * Joining the records of shards and adapters: what keeps them from being one proof.
 *
 * @module
 */
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { counted } from "../report/numbers.ts";
import { adapterKey } from "../report/matrix.ts";
import { type RunRecord, runsOf, type TestedTree, type UnstartedRecord } from "../report/record.ts";
import { adapterName, answersTo } from "../runner/adapter.ts";
import { countVerdicts, failuresOf } from "../runner/verdict.ts";
import { coverageProblems } from "./coverage.ts";
import type { Source, Unusable } from "./read.ts";

/** What the records come to together. */
export interface Joined {
  readonly runs: readonly RunRecord[];
  readonly problems: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Joins records.
 *
 * @param expected texts, each of which an adapter must answer to
 */
export function joinRecords(
  sources: readonly Source[],
  unusable: readonly Unusable[],
  expected: readonly string[],
): Joined {
  const runs = sources.flatMap(({ file, record }) =>
    runsOf(record).map((run) => ({ file, record: run }))
  );
  const problems = [
    ...unusable.map(({ file, state }) =>
      `${file} cannot be used: ${state}. Get it anew, or run again what left it; only records ` +
      "belong in this folder."
    ),
    ...sources.flatMap(({ file, record }) =>
      record.kind === "unstarted" ? [unstartedProblem(file, record)] : []
    ),
    ...runs.flatMap(earlyProblem),
    ...mixtures(runs),
    ...[...Map.groupBy(runs, ({ record }) => adapterKey(record)).values()]
      .flatMap(coverageProblems),
  ];
  const absent = expected.flatMap((asked) => absentProblem(asked, runs));
  const records = runs.map(({ record }) => record);
  return {
    runs: records,
    problems: [...problems, ...absent],
    exitCode: exitCodeOf(records, problems.length, absent.length),
  };
}

function unstartedProblem(
  file: string,
  { adapterAsked, shard, reason, exitCode }: UnstartedRecord,
): string {
  const part = shard ? `, shard ${shard.index}/${shard.of}` : "";
  const end = exitCode === undefined ? "" : ` (exit ${exitCode})`;
  return `${file}: no check ran (adapter ${adapterAsked}${part})${end}: ${reason.trimEnd()} Mend ` +
    "that, and run it again.";
}

/** A run that was killed, or told to leave checks out. */
function earlyProblem({ file, record }: Source<RunRecord>): string[] {
  const { complete, results, planned, stopped } = record;
  const state = `${results.length} of ${counted(planned, "check")} have a verdict`;
  if (!complete) {
    const why = stopped?.trimEnd() ?? "It was killed, or still runs.";
    return [
      `${runName(file, record)}: the run did not come to its end, ${state}. ${why} Run it again.`,
    ];
  }
  if (results.length >= planned) return [];
  return [
    `${runName(file, record)}: only ${state}. Run it again without --budget and --fail-fast.`,
  ];
}

/** A run as a person finds it. */
function runName(file: string, { adapter, plan: { shard } }: RunRecord): string {
  return `${file} (${adapterName(adapter)}${shard ? `, shard ${shard.index}/${shard.of}` : ""})`;
}

/** In what all runs must agree. */
const AGREEMENTS: readonly {
  readonly what: string;
  readonly of: (run: RunRecord) => string;
  readonly remedy: string;
}[] = [
  {
    what: "samebits",
    of: ({ samebits }) => samebits,
    remedy: "Run all of them by one version",
  },
  {
    what: "commit",
    of: ({ tree }) => treeName(tree),
    remedy: "Run all of them on one commit, with the same changes or none",
  },
  {
    what: "set of goldens",
    of: ({ goldens }) => goldens.slice(0, 8),
    remedy: "Give all of them the same goldens: the same commit, and the same --golden",
  },
  {
    what: "plan",
    of: ({ plan }) => `${plan.digest.slice(0, 8)} of ${counted(plan.checks, "check")}`,
    remedy: "Give all of them the same addresses, --kernel, --workgroup, --repeat and --full",
  },
];

function treeName(tree: TestedTree | undefined): string {
  if (!tree) return "no commit that git knows";
  const commit = tree.commit.slice(0, 8);
  return tree.changes ? `${commit} with changes ${tree.changes.slice(0, 8)}` : commit;
}

/** Runs that are not of one commit, set of goldens, plan, or text of a kernel. */
function mixtures(runs: readonly Source<RunRecord>[]): string[] {
  const kernels = new Set(runs.flatMap(({ record }) => Object.keys(record.texts)));
  const texts = [...kernels].map((kernel) => ({
    what: `text of ${kernel}`,
    of: ({ texts }: RunRecord) => texts[kernel]?.slice(0, 8) ?? "none",
    remedy: "Run all of them with the same --text, or none",
  }));
  return [...AGREEMENTS, ...texts].flatMap(({ what, of, remedy }) => {
    const groups = Map.groupBy(runs, ({ record }) => of(record));
    if (groups.size <= 1) return [];
    const told = [...groups].map(([value, list]) => `${value} (${filesText(list)})`);
    return [`The runs are not of one ${what}: ${told.join("; ")}. ${remedy}.`];
  });
}

/** Files named of each group. */
const FILES_NAMED = 3;

function filesText(sources: readonly Source[]): string {
  const files = [...new Set(sources.map(({ file }) => file))];
  const more = files.length - FILES_NAMED;
  return [...files.slice(0, FILES_NAMED), ...more > 0 ? [`${more} more`] : []].join(", ");
}

function absentProblem(asked: string, runs: readonly Source<RunRecord>[]): string[] {
  if (runs.some(({ record: { adapter } }) => answersTo(adapter, asked))) return [];
  const there = [...new Set(runs.map(({ record }) => adapterName(record.adapter)))];
  return [
    `No adapter that answers to "${asked}" reported${
      there.length === 0 ? "" : `, only ${there.join(", ")}`
    }. See why its machine left no record, or take it out of --expect.`,
  ];
}

function exitCodeOf(runs: readonly RunRecord[], problems: number, absent: number): ExitCode {
  const results = runs.flatMap(({ results }) => results);
  if (failuresOf(results).length > 0 || problems > 0) return EXIT.differs;
  if (absent > 0) return EXIT.adapter;
  return countVerdicts(results).pass > 0 ? EXIT.passed : EXIT.nothing;
}
