/**
 * Findings as text.
 *
 * @module
 */
import { classify, type Difference } from "./classify.ts";
import type { Finding } from "./compare.ts";
import { type Side, unifiedDiff } from "./diff.ts";
import type { OwnText } from "./own.ts";
import { placeName } from "./twins.ts";
import type { Constant, KnownText } from "./value.ts";

/** A line for each finding, and under it what it takes to understand it. */
export function describeFindings(findings: readonly Finding[]): string {
  return findings.map(describeFinding).join("\n");
}

function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case "same":
      return row("same", finding.own.name, constantName(finding.twin));
    case "differs":
      return describeDifference(finding.own, finding.twin, finding.value);
    case "unknown":
      return row(
        "unknown",
        finding.own.name,
        `${constantName(finding.twin)} cannot be compared as text: ${finding.reason}`,
      );
    case "gone":
      return row("gone", finding.own.name, `${placeName(finding.place)} is not in the engine`);
    case "own":
      return row("own", finding.own.name, "has no twin in the engine (kernels/twins.json)");
    case "moved":
      return row(
        "moved",
        finding.own.name,
        `${placeName(finding.place)} is now ${finding.to.map(constantName).join(", ")}: ` +
          "correct its place in kernels/twins.json",
      );
    case "unclaimed":
      return row("unclaimed", "", describeUnclaimed(finding.shader, finding.copyOf));
    case "stale":
      return row(
        "stale",
        "",
        `${placeName(finding.other)} is no shader of the engine any more: remove it from ` +
          '"others" in kernels/twins.json',
      );
    case "unreadable":
      return row("unreadable", "", `${finding.file}:${finding.line}: ${finding.reason}`);
    case "unlisted":
      return row(
        "unlisted",
        finding.own.name,
        "has no entry in kernels/twins.json: say there where its twins live, or record it without: " +
          'deno task texts --record --reason "…"',
      );
    case "orphan":
      return row(
        "orphan",
        finding.name,
        "is in kernels/twins.json but is no kernel: remove the entry, or add the kernel to " +
          "kernels/mod.ts",
      );
    case "edited":
      return row("edited", finding.own.name, describeEdited(finding));
  }
}

function row(verdict: string, kernel: string, rest: string): string {
  return `${verdict.padEnd(11)}${kernel.padEnd(kernel ? 8 : 0)}${kernel ? " " : ""}${rest}`;
}

function constantName({ file, line, name }: Constant): string {
  return name === undefined ? `${file}:${line}` : `${file}:${line} ${name}`;
}

function describeUnclaimed(shader: Constant, copyOf: string | undefined): string {
  const where = constantName(shader);
  if (copyOf) {
    return `${where} is a copy of ${copyOf} that kernels/twins.json does not name: ` +
      "add it to its places";
  }
  const open = shader.value.kind === "open"
    ? ` (nor can it be compared as text: ${shader.value.reason})`
    : "";
  return `${where} is a shader that no kernel claims${open}: add it to a kernel's places in ` +
    'kernels/twins.json, or with a reason to "others" there';
}

function describeEdited({ own, sha256, recorded, commit }: {
  readonly own: OwnText;
  readonly sha256: string;
  readonly recorded: string;
  readonly commit: string | null;
}): string {
  const record = commit === null
    ? "the record, with which no engine has agreed yet, is of"
    : `engine commit ${commit.slice(0, 12)} has`;
  return `${own.file} is ${sha256.slice(0, 12)}…, ${record} ${recorded.slice(0, 12)}…`;
}

function describeDifference(own: OwnText, twin: Constant, value: KnownText): string {
  const difference = classify(own.text, value.text);
  const title = row(
    "differs",
    own.name,
    `${constantName(twin)}: ${describeClass(difference)}`,
  );
  return [title, ...indent(unifiedDiff(sideOf(own), twinSide(twin, value)))].join("\n");
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

export function describeClass(difference: Difference): string {
  switch (difference.kind) {
    case "layout":
      return `only ${difference.cause} (the tokens are the same)`;
    case "names":
      return `only names (${difference.renamed.map((pair) => pair.join(" → ")).join(", ")})`;
    case "code":
      return "code";
  }
}

export function sideOf({ file, text }: Pick<OwnText, "file" | "text">): Side {
  return { title: file, text, lineNumber: (index) => index + 1 };
}

export function twinSide(twin: Constant, { text, lines }: KnownText): Side {
  // A text that ends with a line feed has one more line, an empty one, where the text ends.
  const last = lines.at(-1)?.line ?? twin.line;
  return {
    title: constantName(twin),
    text,
    lineNumber: (index) => lines[index]?.line ?? last,
  };
}
