/**
 * A run, or several, as GitHub Actions shows it: annotations in the log, and a summary of the step.
 *
 * @module
 */
import { adapterName } from "../runner/adapter.ts";
import { countVerdicts, type Result, type TextPlace } from "../runner/verdict.ts";
import { type Matrix, matrixOf } from "./matrix.ts";
import { matrixMarkdown } from "./matrix_text.ts";
import { mergedSummary } from "./merged_text.ts";
import type { MergedRecord, RunRecord } from "./record.ts";
import { type FailureGroup, failureGroups, groupLines, summaryLine } from "./text.ts";

/** GitHub shows ten annotations of a step and drops the others. */
const ANNOTATIONS = 10;

/** Workflow commands, one for each cause of failing checks up to GitHub's limit. */
export function annotationLines(
  runs: readonly RunRecord[],
  fileOf: (kernel: string) => string,
): string[] {
  return matrixOf(runs).adapters.flatMap(({ runs }) => failureGroups(runs))
    .slice(0, ANNOTATIONS).map((group) => annotation(group, fileOf));
}

function annotation(group: FailureGroup, fileOf: (kernel: string) => string): string {
  const { run, results: [first] } = group;
  const { check, verdict } = first!;
  const place = placeOf(first!, run);
  return workflowCommand("error", groupLines(group).join("\n"), {
    file: place?.file ?? fileOf(check.kernel),
    ...place && { line: String(place.line), col: String(place.column) },
    title: `${check.kernel}: ${verdict.kind} on ${adapterName(run.adapter)}`,
  });
}

/** The line to blame: the compiler names it, or a diagnosis of this check. */
function placeOf({ check, verdict }: Result, { diagnoses = [] }: RunRecord): TextPlace | undefined {
  if (verdict.kind === "error" && verdict.place) return verdict.place;
  return diagnoses.find(({ check: { kernel, address, workgroup } }) =>
    kernel === check.kernel && address === check.address && workgroup === check.workgroup
  )?.place;
}

/** What keeps merged records from being one proof: an error of no file. */
export function problemAnnotations({ problems }: Pick<MergedRecord, "problems">): string[] {
  return problems.slice(0, ANNOTATIONS)
    .map((problem) => workflowCommand("error", problem, { title: "samebits merge" }));
}

/** Markdown of one run: a table of kernels, and the failures. */
export function summaryMarkdown(record: RunRecord): string {
  const kernels = [...new Set(record.results.map(({ check }) => check.kernel))];
  const rows = kernels.map((kernel) => {
    const counts = countVerdicts(record.results.filter(({ check }) => check.kernel === kernel));
    return `| ${kernel} | ${counts.pass} | ${counts.differ} | ${counts.error} | ${counts.unsupported} |`;
  });
  return [
    `### samebits on ${adapterName(record.adapter)} (${record.backend})`,
    "",
    summaryLine(record),
    "",
    "| kernel | passed | differ | errors | unsupported |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    ...failuresMarkdown([record]),
    "",
  ].join("\n");
}

/** Markdown of merged runs: the problems, the matrix, and each adapter's failures. */
export function mergedMarkdown({ runs, problems }: MergedRecord, matrix: Matrix): string {
  return [
    "### samebits",
    "",
    mergedSummary(runs, matrix, problems),
    "",
    ...problems.map((problem) => fenced([problem])),
    "",
    ...runs.length > 0 ? matrixMarkdown(matrix) : [],
    "",
    ...matrix.adapters.flatMap(({ name, runs }) => {
      const failures = failuresMarkdown(runs);
      return failures.length === 0 ? [] : [`On ${name}:`, "", ...failures];
    }),
    "",
  ].join("\n");
}

function failuresMarkdown(runs: readonly RunRecord[]): string[] {
  return failureGroups(runs).slice(0, ANNOTATIONS).map((group) => fenced(groupLines(group)));
}

/** A text as it stands; a fence longer than any in it cannot be ended by it. */
function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [fence, text, fence].join("\n");
}

function workflowCommand(
  kind: "error",
  message: string,
  properties: Readonly<Record<string, string>>,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  return `::${kind} ${list.join(",")}::${data(message)}`;
}

/** A workflow command's data is one line; a property must not end the list of properties either. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
