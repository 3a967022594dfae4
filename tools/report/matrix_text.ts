/**
 * A matrix as text, and as a table of Markdown.
 *
 * @module
 */
import { counted, thousands } from "./numbers.ts";
import type { Cell, Matrix, MatrixAdapter } from "./matrix.ts";
import { changeText } from "./times.ts";

/** The adapters, then a line for each kernel on each of them. */
export function matrixLines({ kernels, adapters, cells }: Matrix): string[] {
  const width = Math.max(...adapters.map(({ name }) => name.length), "adapter".length);
  const row = (
    kernel: string,
    adapter: string,
    [verdict, checks, words, seconds, time]: string[],
  ) =>
    [
      kernel.padEnd(10),
      adapter.padEnd(width),
      verdict!.padEnd(20),
      checks!.padStart(8),
      words!.padStart(14),
      seconds!.padStart(9),
      time ? `  ${time}` : "",
    ].join(" ").trimEnd();
  return [
    ...adapters.flatMap(adapterLines),
    row("kernel", "adapter", ["verdict", "checks", "words", "seconds", "against baseline"]),
    ...kernels.flatMap((kernel, i) =>
      adapters.map(({ name }, j) => row(j === 0 ? kernel : "", name, cellTexts(cells[i]![j]!)))
    ),
    "",
  ];
}

function adapterLines({ name, backend, software, profile, runs }: MatrixAdapter): string[] {
  return [
    `adapter  ${name} (${software ? "software, on the CPU" : "hardware"})`,
    `         backend ${backend}, ${profile ? `profile ${profile}` : "profile not measured"}, ` +
    counted(runs.length, "run"),
  ];
}

function cellTexts(cell: Cell): string[] {
  const { verdict, checks, words, seconds } = cell;
  if (verdict === "none") return ["not run", "", "", ""];
  return [
    cellVerdictText(cell),
    thousands(checks),
    thousands(words),
    seconds.toFixed(2),
    timeText(cell),
  ];
}

/** `pass`, or what is wrong and how often. */
export function cellVerdictText({ verdict, counts }: Cell): string {
  if (verdict === "none") return "not run";
  const parts = [
    ...counts.error > 0 ? [counted(counts.error, "error")] : [],
    ...counts.differ > 0 ? [`${thousands(counts.differ)} differ`] : [],
  ];
  if (parts.length > 0) return parts.join(", ");
  return verdict === "pass" && counts.unsupported > 0
    ? `pass, ${thousands(counts.unsupported)} unsupported`
    : verdict;
}

function timeText({ time }: Cell): string {
  if (!time) return "";
  return `${time.verdict} (at worst ${changeText(time.worst)}, ${counted(time.shapes, "shape")})`;
}

/** Kernels down, adapters across. */
export function matrixMarkdown({ kernels, adapters, cells }: Matrix): string[] {
  const row = (entries: readonly string[]) => `| ${entries.map(cellSafe).join(" | ")} |`;
  return [
    row(["kernel", ...adapters.map(({ name, profile }) => name + (profile ? ` ${profile}` : ""))]),
    row(["---", ...adapters.map(() => "---")]),
    ...kernels.map((kernel, i) => row([kernel, ...cells[i]!.map(cellMarkdown)])),
  ];
}

function cellMarkdown(cell: Cell): string {
  const [, checks, words, seconds, time] = cellTexts(cell);
  if (cell.verdict === "none") return "not run";
  const verdict = cell.verdict === "pass" ? cellVerdictText(cell) : `**${cellVerdictText(cell)}**`;
  return [verdict, `${checks} checks`, `${words} words`, `${seconds} s`, ...time ? [time] : []]
    .join("<br>");
}

/** A bar would end the cell. */
function cellSafe(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
