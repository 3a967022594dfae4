/**
 * Writing a run's reports where the command line and GitHub Actions ask for them.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { annotationLines, summaryMarkdown } from "../report/github.ts";
import type { RunRecord } from "../report/record.ts";

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

export async function writeReports(
  record: RunRecord,
  kernels: readonly Kernel[],
  { junit }: ReportOptions,
): Promise<void> {
  if (junit) {
    // Its XML library is loaded only where it is needed.
    const { junitXml } = await import("../report/junit.ts");
    writeFile(junit, junitXml(record));
  }
  if (Deno.env.get("GITHUB_ACTIONS") !== "true") return;
  const fileOf = (name: string) => kernels.find((kernel) => kernel.name === name)!.file;
  for (const line of annotationLines(record, fileOf)) console.log(line);
  const summary = Deno.env.get("GITHUB_STEP_SUMMARY");
  if (summary) writeFile(summary, summaryMarkdown(record), { append: true });
}

/** Writes a report. @throws {Failure} where it cannot be */
export function writeFile(file: string, text: string, options?: Deno.WriteFileOptions): void {
  try {
    Deno.writeTextFileSync(file, text, options);
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot write report ${file}: ${(error as Error).message}`);
  }
}
