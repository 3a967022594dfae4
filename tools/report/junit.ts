/**
 * Runs as JUnit XML, for the tools that read it: what both Ant's schema and that of Jenkins' xUnit
 * plugin allow. Ant's wants a host and two streams of each suite, and totals of no more than one;
 * `tests/report/junit.xsd` states what is left.
 *
 * @module
 */
import { create } from "xml";
import { fileNameOf } from "../profile/profile.ts";
import { countVerdicts, type Result } from "../runner/verdict.ts";
import { type MatrixAdapter, matrixOf } from "./matrix.ts";
import type { RunRecord } from "./record.ts";
import { failureLines } from "./text.ts";

/** One suite a kernel on an adapter, one case a check. */
export function junitXml(runs: readonly RunRecord[]): string {
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele("testsuites");
  let id = 0;
  for (const adapter of matrixOf(runs).adapters) {
    const cases = adapter.runs.flatMap((run) => run.results.map((result) => ({ run, result })));
    for (const ofKernel of Map.groupBy(cases, ({ result }) => result.check.kernel).values()) {
      addSuite(root, id++, adapter, ofKernel);
    }
  }
  return root.end({ prettyPrint: true });
}

type Element = ReturnType<ReturnType<typeof create>["ele"]>;

/** A check, and the run that it is from. */
interface Case {
  readonly run: RunRecord;
  readonly result: Result;
}

/** @param cases of one kernel */
function addSuite(
  root: Element,
  id: number,
  adapter: MatrixAdapter,
  cases: readonly Case[],
): void {
  const results = cases.map(({ result }) => result);
  const { differ, error, unsupported } = countVerdicts(results);
  const suite = root.ele("testsuite", {
    id,
    name: results[0]!.check.kernel,
    package: fileNameOf(adapter.name),
    // Without a zone, in UTC.
    timestamp: adapter.runs[0]!.started.slice(0, 19),
    // A host's name is nobody's business; this stands for one that is not told.
    hostname: "localhost",
    tests: results.length,
    failures: differ,
    errors: error,
    skipped: unsupported,
    time: secondsText(results.reduce((sum, { seconds = 0 }) => sum + seconds, 0)),
  });
  const properties = suite.ele("properties");
  for (const [name, value] of propertiesOf(adapter)) {
    properties.ele("property", { name, value: safe(value) });
  }
  for (const one of cases) addCase(suite, adapter.name, one);
  suite.ele("system-out");
  suite.ele("system-err");
}

function propertiesOf({ name, backend, runs }: MatrixAdapter): [string, string][] {
  const { profile, samebits, deno, tree } = runs[0]!;
  return [
    ["adapter", name],
    ["backend", backend],
    ...profile ? [["profile", profile.hash], ["key", profile.key]] as [string, string][] : [],
    ["samebits", samebits],
    ["deno", deno],
    ...tree ? [["commit", tree.commit]] as [string, string][] : [],
    ["complete", String(runs.every(({ complete }) => complete))],
  ];
}

/** Readers take class and name together for the identity: the adapter is a part of it. */
function addCase(suite: Element, adapter: string, { run, result }: Case): void {
  const { check, verdict, seconds } = result;
  const element = suite.ele("testcase", {
    name: safe(check.address),
    classname: `${fileNameOf(adapter)}.${check.kernel}.workgroup_${check.workgroup}`,
    time: secondsText(seconds),
  });
  if (verdict.kind === "unsupported") element.ele("skipped", { message: safe(verdict.reason) });
  if (verdict.kind === "pass" || verdict.kind === "unsupported") return;
  const [, ...lines] = failureLines(result, run);
  const kind = verdict.kind === "differ" ? "failure" : "error";
  element.ele(kind, { message: safe(lines[0]!.trim()), type: verdict.kind })
    .txt(safe(lines.join("\n")));
}

function secondsText(seconds = 0): string {
  return seconds.toFixed(6);
}

// Characters that XML 1.0 has no way to write, not even as references.
// deno-lint-ignore no-control-regex -- these are what a driver's message may hold
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** The text with what XML cannot hold named by its code. */
function safe(text: string): string {
  return text.toWellFormed().replace(
    UNWRITABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
