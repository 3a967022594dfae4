/**
 * A run as GitHub Actions shows it: annotations in the log, and a summary of the step.
 *
 * @module
 */
import { adapterName } from "../runner/adapter.ts";
import { countVerdicts, failuresOf } from "../runner/verdict.ts";
import type { RunRecord } from "./record.ts";
import { failureLines, summaryLine } from "./text.ts";

/** GitHub shows ten annotations of a step and drops the others. */
const ANNOTATIONS = 10;

/** Workflow commands, one for each failing check up to GitHub's limit. */
export function annotationLines(
  record: RunRecord,
  fileOf: (kernel: string) => string,
): string[] {
  return failuresOf(record.results).slice(0, ANNOTATIONS).map((result) => {
    const { check, verdict } = result;
    const place = verdict.kind === "error" ? verdict.place : undefined;
    const properties = [
      `file=${property(place?.file ?? fileOf(check.kernel))}`,
      ...place ? [`line=${place.line}`, `col=${place.column}`] : [],
      `title=${property(`${check.kernel}: ${verdict.kind}`)}`,
    ];
    return `::error ${properties.join(",")}::${data(failureLines(result, record).join("\n"))}`;
  });
}

/** Markdown: a table of kernels, and the failures. */
export function summaryMarkdown(record: RunRecord): string {
  const kernels = [...new Set(record.results.map(({ check }) => check.kernel))];
  const rows = kernels.map((kernel) => {
    const counts = countVerdicts(record.results.filter(({ check }) => check.kernel === kernel));
    return `| ${kernel} | ${counts.pass} | ${counts.differ} | ${counts.error} | ${counts.unsupported} |`;
  });
  const failed = failuresOf(record.results).slice(0, ANNOTATIONS).map((result) =>
    ["```", ...failureLines(result, record), "```"].join("\n")
  );
  return [
    `### samebits on ${adapterName(record.adapter)} (${record.backend})`,
    "",
    summaryLine(record),
    "",
    "| kernel | passed | differ | errors | unsupported |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    ...failed,
    "",
  ].join("\n");
}

/** A workflow command's data is one line; a property must not end the list of properties either. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
