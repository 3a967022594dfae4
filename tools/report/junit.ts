/**
 * A run as JUnit XML, for the tools that read it.
 *
 * @module
 */
import { create } from "xml";
import { adapterName } from "../runner/adapter.ts";
import { countVerdicts, type Result } from "../runner/verdict.ts";
import type { RunRecord } from "./record.ts";
import { failureLines } from "./text.ts";

/** One suite a kernel, one case a check. */
export function junitXml(record: RunRecord): string {
  const kernels = [...new Set(record.results.map(({ check }) => check.kernel))];
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites", {
    name: "samebits",
    ...totals(record.results),
  });
  for (const kernel of kernels) {
    const results = record.results.filter(({ check }) => check.kernel === kernel);
    const suite = root.ele("testsuite", {
      name: kernel,
      timestamp: record.started.slice(0, 19),
      ...totals(results),
      skipped: countVerdicts(results).unsupported,
    });
    const properties = suite.ele("properties");
    properties.ele("property", { name: "adapter", value: adapterName(record.adapter) });
    properties.ele("property", { name: "backend", value: record.backend });
    for (const result of results) addCase(suite, result, record);
  }
  return root.end({ prettyPrint: true });
}

type Element = ReturnType<ReturnType<typeof create>["ele"]>;

function addCase(suite: Element, result: Result, record: RunRecord): void {
  const { check, verdict } = result;
  const element = suite.ele("testcase", {
    classname: `${check.kernel}.workgroup_${check.workgroup}`,
    name: check.address,
  });
  if (verdict.kind === "unsupported") element.ele("skipped", { message: verdict.reason });
  if (verdict.kind === "pass" || verdict.kind === "unsupported") return;
  const [, ...lines] = failureLines(result, record);
  element.ele(verdict.kind === "differ" ? "failure" : "error", { message: lines[0]!.trim() })
    .txt(lines.join("\n"));
}

function totals(results: readonly Result[]) {
  const { differ, error } = countVerdicts(results);
  return { tests: results.length, failures: differ, errors: error };
}
