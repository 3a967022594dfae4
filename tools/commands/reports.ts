/**
 * Writing a run's reports where the command line and GitHub Actions ask for them.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import {
  annotationLines,
  mergedMarkdown,
  problemAnnotations,
  summaryMarkdown,
} from "../report/github.ts";
import { matrixOf } from "../report/matrix.ts";
import { type MergedRecord, type RunRecord, runsOf } from "../report/record.ts";

export interface ReportOptions {
  readonly junit?: string;
}

/** Does what may fail for a reason that its user can mend, which is printed; was it done? */
export async function attempted(write: () => void | Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return false;
  }
}

/** Writes the reports of a run, or of merged ones with their matrix. */
export async function writeReports(
  record: RunRecord | MergedRecord,
  kernels: readonly Kernel[],
  { junit }: ReportOptions,
  matrix = matrixOf(runsOf(record)),
): Promise<void> {
  const runs = runsOf(record);
  if (junit) {
    // Its XML library is loaded only where it is needed.
    const { junitXml } = await import("../report/junit.ts");
    writeFile(junit, junitXml(runs));
  }
  // Of a shard the merge tells, once for all of them.
  const isPart = record.kind === "run" && record.plan.shard !== undefined;
  if (Deno.env.get("GITHUB_ACTIONS") !== "true" || isPart) return;
  const fileOf = (name: string) => kernels.find((kernel) => kernel.name === name)!.file;
  const problems = record.kind === "merged" ? problemAnnotations(record) : [];
  for (const line of [...problems, ...annotationLines(runs, fileOf)]) console.log(line);
  const summary = Deno.env.get("GITHUB_STEP_SUMMARY");
  if (!summary) return;
  const markdown = record.kind === "merged"
    ? mergedMarkdown(record, matrix)
    : summaryMarkdown(record);
  writeFile(summary, markdown, { append: true });
}

/** Writes a report. @throws {Failure} where it cannot be */
export function writeFile(file: string, text: string, options?: Deno.WriteFileOptions): void {
  try {
    Deno.writeTextFileSync(file, text, options);
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot write report ${file}: ${(error as Error).message}`);
  }
}
