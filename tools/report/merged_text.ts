/**
 * A merge as text for a terminal or a log.
 *
 * @module
 */
import { countVerdicts, failuresOf } from "../runner/verdict.ts";
import type { Matrix, MatrixAdapter } from "./matrix.ts";
import { matrixLines } from "./matrix_text.ts";
import { counted, thousands } from "./numbers.ts";
import type { MergedRecord, RunRecord } from "./record.ts";
import { failureEntries } from "./text.ts";
import { unsupportedLines } from "./unsupported.ts";

/** Failures shown in full of each adapter; the merged record has all of them. */
const SHOWN = 5;

/** The failures of each adapter, what keeps the records from being one proof, and the matrix. */
export function mergedLines({ runs, problems }: MergedRecord, matrix: Matrix): string[] {
  return [
    ...matrix.adapters.flatMap(adapterFailures),
    ...runs.length > 0 ? matrixLines(matrix) : [],
    ...problems.map((problem) => `PROBLEM  ${problem.replaceAll("\n", "\n  ")}`),
    ...problems.length > 0 ? [""] : [],
    mergedSummary(runs, matrix, problems),
  ];
}

function adapterFailures({ name, runs }: MatrixAdapter): string[] {
  const results = runs.flatMap(({ results }) => results);
  const lines = [...failureEntries(runs, SHOWN), ...unsupportedLines(results)];
  return lines.length === 0 ? [] : [`on ${name}:`, "", ...lines, ""];
}

/** The last line: what all runs came to. */
export function mergedSummary(
  runs: readonly RunRecord[],
  { adapters }: Pick<Matrix, "adapters">,
  problems: readonly string[],
): string {
  const results = runs.flatMap(({ results }) => results);
  const parts = [
    `${thousands(countVerdicts(results).pass)} passed`,
    ...failuresOf(results).length > 0 ? [`${thousands(failuresOf(results).length)} failed`] : [],
    ...problems.length > 0 ? [counted(problems.length, "problem")] : [],
  ];
  return `${counted(runs.length, "run")} on ${counted(adapters.length, "adapter")}, ` +
    `${counted(results.length, "check")}: ${parts.join(", ")}`;
}
