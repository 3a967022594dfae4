/**
 * A run as text for a terminal or a log.
 *
 * @module
 */
import { adapterName } from "../runner/adapter.ts";
import {
  type ComparedWord,
  countVerdicts,
  failuresOf,
  type Mismatch,
  type Result,
} from "../runner/verdict.ts";
import { counted, distanceText, hex, thousands, wordValue } from "./numbers.ts";
import type { RunRecord } from "./record.ts";

/** Which machine this is: the first lines of a run. */
export function adapterLines(
  { adapter, backend, driverFile }: Pick<RunRecord, "adapter" | "backend" | "driverFile">,
): string[] {
  const kind = adapter.software ? "software, on the CPU" : "hardware";
  const driver = driverFile === undefined
    ? "driver version not told by WebGPU"
    : `driver file ${driverFile}`;
  const { subgroupMinSize: least, subgroupMaxSize: most } = adapter;
  const subgroup = most === undefined
    ? ""
    : `, subgroups of ${least === most ? most : `${least} to ${most}`}`;
  return [
    `adapter  ${adapterName(adapter)} (${kind})`,
    `         backend ${backend}, vendor ${adapter.vendor}${subgroup}, ${driver}`,
    ...backend === "gl"
      ? ["         Do not trust GL: its integer arithmetic is wrong on some drivers."]
      : [],
  ];
}

/** A check that did not pass: what is wrong, and one line that runs just this check again. */
export function failureLines(result: Result, record: Pick<RunRecord, "options">): string[] {
  const { check, verdict } = result;
  const body = verdict.kind === "differ"
    ? mismatchLines(verdict.mismatch)
    : verdict.kind === "error"
    ? [
      ...verdict.message.split("\n"),
      ...verdict.place
        ? [
          `${verdict.place.file}:${verdict.place.line}:${verdict.place.column}`,
          `  ${verdict.place.source}`,
          `  ${" ".repeat(Math.max(0, verdict.place.column - 1))}^`,
        ]
        : [],
    ]
    : [];
  return [
    `${verdict.kind.toUpperCase()}  ${check.kernel}, workgroup ${check.workgroup}: ${check.address}`,
    ...body.map((line) => `  ${line}`),
    `  again: ${reproduction(result, record)}`,
  ];
}

/** The command that runs one check again. */
export function reproduction({ check }: Result, { options }: Pick<RunRecord, "options">): string {
  const parts = ["deno task gate", `--kernel ${check.kernel}`, `--workgroup ${check.workgroup}`];
  return [...parts, ...options, `'${check.address}'`].join(" ");
}

/** How an output differs, with the first differing word between its neighbours. */
export function mismatchLines(mismatch: Mismatch): string[] {
  const { first, neighbours } = mismatch;
  return [
    ...mismatchFacts(mismatch),
    ...first ? wordTable(first, neighbours, showsIntegers(mismatch)) : [],
  ];
}

/** How an output differs: what kind of wrong words it has, and how many. */
export function mismatchFacts(mismatch: Mismatch): string[] {
  const { words, differing, unwritten, overrun, moving, strip, largestUlp, first, part, share } =
    mismatch;
  const lines = [];
  if (strip) {
    lines.push(
      `strips of rows that differ: ${strip.differing} of ${strip.strips}; of the first, rows ` +
        `${thousands(strip.first)} to ${thousands(strip.first + strip.count - 1)}:`,
    );
  }
  if (first) {
    const distance = largestUlp === undefined
      ? ""
      : `; largest distance ${distanceText(largestUlp, mismatch.integers)}`;
    const inPart = part ? `in ${part.name}, word ${part.at}, which is ` : "";
    lines.push(
      `differing words: ${thousands(differing)} of ${
        thousands(words)
      }; the first ${inPart}at row ` +
        `${first.row}, column ${first.col}${distance}`,
    );
    if (share !== undefined) lines.push(`the largest error is ${timesText(share)} its bound`);
  }
  if (unwritten > 0) lines.push(`${counted(unwritten, "word")} never written`);
  if (overrun > 0) lines.push(`${counted(overrun, "word")} written past the end of the output`);
  if (moving) {
    lines.push(
      `${counted(moving.words, "word")} not the same in ${moving.repeats} repetitions: a race`,
    );
  }
  return lines;
}

/** Are the words around the first differing one shown as integers? */
export function showsIntegers({ part, integers = false }: Mismatch): boolean {
  return part ? part.words === "u32" : integers;
}

/** The first differing word between its neighbours. */
function wordTable(
  first: ComparedWord,
  neighbours: readonly ComparedWord[],
  integers: boolean,
): string[] {
  const rows = [...neighbours, first].sort((a, b) => a.row - b.row);
  return [
    `  ${"row".padStart(8)}  expected                   actual`,
    ...rows.map((word) =>
      `${word === first ? "->" : "  "}${String(word.row).padStart(8)}  ` +
      `${wordText(word.expected, integers).padEnd(27)}${wordText(word.actual, integers)}`
    ),
  ];
}

function wordText(word: number, integers: boolean): string {
  return `${hex(word)}  ${wordValue(word, integers)}`;
}

/**
 * How near each kernel of a bounded family came to a bound, and on which case. The bounds of every
 * family are made of what WGSL allows, and of no adapter's own accuracy.
 */
export function boundLines(results: readonly Result[]): string[] {
  const nearest = new Map<string, { share: number; address: string }>();
  for (const { check: { kernel, address }, verdict } of results) {
    if (verdict.kind !== "pass" || verdict.share === undefined) continue;
    if (verdict.share >= (nearest.get(kernel)?.share ?? 0)) {
      nearest.set(kernel, { share: verdict.share, address });
    }
  }
  return [...nearest].map(([kernel, { share, address }]) =>
    `BOUND  ${kernel} used at most ${shareText(share)} of a bound by WGSL's limits: ${address}`
  );
}

function shareText(share: number): string {
  return `${(100 * share).toPrecision(3)} %`;
}

function timesText(share: number): string {
  return `${share < 100 ? share.toPrecision(3) : thousands(Math.round(share))} times`;
}

/** What of a run its failures are shown from. */
export type FailedRun = Pick<RunRecord, "results" | "options">;

/** Failures of one cause: errors that say the same of one kernel, or one differing check. */
export interface FailureGroup<Run extends FailedRun = RunRecord> {
  /** The run that the first of them is from: what a reproduction has to repeat is its own. */
  readonly run: Run;
  /** One at least. */
  readonly results: readonly Result[];
}

/** The failures of an adapter's runs by cause. */
export function failureGroups<Run extends FailedRun>(runs: readonly Run[]): FailureGroup<Run>[] {
  const failures = runs.flatMap((run) =>
    failuresOf(run.results).map((result) => ({ run, result }))
  );
  return [...Map.groupBy(failures, ({ result }) => groupKey(result)).values()]
    .map((list) => ({ run: list[0]!.run, results: list.map(({ result }) => result) }));
}

/**
 * The failures of an adapter's runs, each cause once.
 *
 * @param limit entries shown in full
 */
export function failureEntries(runs: readonly FailedRun[], limit: number): string[] {
  const groups = failureGroups(runs);
  const more = groups.length - limit;
  return [
    ...groups.slice(0, limit).flatMap((group) => [...groupLines(group), ""]),
    ...more > 0 ? [`… and ${more} more; --record FILE writes all of them.`, ""] : [],
  ];
}

/** The first failure of a group, and how many others there are. */
export function groupLines(
  { run, results: [first, ...others] }: FailureGroup<FailedRun>,
): string[] {
  return [
    ...failureLines(first!, run),
    ...others.length > 0 ? [`  the same for ${counted(others.length, "other check")}`] : [],
  ];
}

/** The failures of a run, and what each kernel came to; nothing where nothing failed. */
export function failureReport(record: FailedRun, limit: number): string[] {
  const entries = failureEntries([record], limit);
  return entries.length === 0 ? [] : [...entries, ...kernelTable(record.results), ""];
}

function groupKey({ check, verdict }: Result): string {
  const kernel = `${check.kernel} ${check.workgroup}`;
  return verdict.kind === "error" ? `${kernel} ${verdict.message}` : `${kernel} ${check.address}`;
}

/** What each kernel came to. */
function kernelTable(results: readonly Result[]): string[] {
  const kernels = Map.groupBy(
    results,
    ({ check }) => `${check.kernel}, workgroup ${check.workgroup}`,
  );
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, i) => i === 0 ? String(cell).padEnd(28) : String(cell).padStart(12)).join("");
  return [
    row("kernel", "passed", "differ", "error", "unsupported"),
    ...[...kernels].map(([kernel, list]) => {
      const { pass, differ, error, unsupported } = countVerdicts(list);
      return row(kernel, pass, differ, error, unsupported);
    }),
  ];
}

/** The last line: how many checks ran of how many planned, and what they came to. */
export function summaryLine(
  { results, planned, seconds }: Pick<RunRecord, "results" | "planned" | "seconds">,
): string {
  const { pass, differ, error, unsupported } = countVerdicts(results);
  const ran = pass + differ +
    results.filter(({ verdict }) => verdict.kind === "error" && verdict.ran).length;
  const parts = [
    `${thousands(pass)} passed`,
    ...differ > 0 ? [`${thousands(differ)} differ`] : [],
    ...error > 0 ? [counted(error, "error")] : [],
    ...unsupported > 0 ? [`${thousands(unsupported)} unsupported here`] : [],
  ];
  return `${thousands(ran)} of ${counted(planned, "planned check")} ran in ` +
    `${seconds.toFixed(2)} s: ${parts.join(", ")}`;
}
