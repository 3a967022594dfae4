/**
 * What the gate prints.
 *
 * @module
 */
import type { ChosenAdapter } from "../adapters/choose.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { counted } from "../report/numbers.ts";
import { recognitionLines } from "../report/profile.ts";
import type { RunRecord } from "../report/record.ts";
import { adapterLines, boundLines, failureReport, summaryLine } from "../report/text.ts";
import { unsupportedLines } from "../report/unsupported.ts";
import type { Check } from "../runner/verdict.ts";
import { VERSION } from "../version.ts";
import type { Recognized } from "./profiling.ts";

/** Failures shown in full; the JSON record has all of them. */
const SHOWN = 10;

/** Why nothing is run. */
export function unusableGoldens(messages: readonly string[]): Failure {
  const shown = messages.slice(0, SHOWN);
  const more = messages.length - shown.length;
  return new Failure(
    EXIT.goldens,
    [
      ...shown,
      ...more > 0 ? [`… and ${more} more.`] : [],
      `Nothing was run: ${counted(messages.length, "golden")} cannot be used.`,
    ].join("\n"),
  );
}

/** Which samebits, adapter and profile. */
export function printHeader(
  chosen: ChosenAdapter,
  recognized: Recognized | string,
): void {
  console.log(`samebits ${VERSION}, Deno ${Deno.version.deno}`);
  if (chosen.fallback) {
    console.log("This machine has no adapter: running on the embedded one, SwiftShader.");
  }
  for (const line of adapterLines(chosen)) console.log(line);
  const profile = typeof recognized === "string"
    ? [`profile  cannot be measured: ${recognized}`]
    : recognitionLines(recognized.profile, recognized.known);
  for (const line of profile) console.log(line);
}

/** What is to be run, and what is not. */
export function printPlan(
  checks: readonly Check[],
  cases: number,
  kernels: number,
  large: number,
  part: string | undefined,
): void {
  const leftOut = large > 0 ? `; ${counted(large, "large case")} left out, --full runs them` : "";
  console.log(
    `plan     ${counted(checks.length, "check")}: ${counted(kernels, "kernel")} on ` +
      `${counted(cases, "case")}${leftOut}`,
  );
  console.log(part === undefined ? "" : `part     ${part}\n`);
}

/** What it came to. */
export function printOutcome(record: RunRecord): void {
  for (const line of failureReport(record, SHOWN)) console.log(line);
  for (const line of unsupportedLines(record.results)) console.log(line);
  for (const line of boundLines(record.results)) console.log(line);
  console.log(summaryLine(record));
  if (record.exitCode === EXIT.nothing) {
    console.log("Nothing ran, so nothing is proved: this adapter supports none of these checks.");
  }
}
