/**
 * `samebits gate`: runs kernels on cases and holds every output against its golden.
 *
 * @module
 */
import type { Command } from "cli";
import type { Case } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import { chooseAdapter } from "../adapters/choose.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { goldenProblems } from "../goldens/problems.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { mostTellingFirst } from "../mutants/order.ts";
import { storedRecords } from "../mutants/store.ts";
import { RecordFile } from "../records/record_file.ts";
import { counted } from "../report/numbers.ts";
import type { RunRecord } from "../report/record.ts";
import { planChecks } from "../runner/plan.ts";
import { type Check, failuresOf } from "../runner/verdict.ts";
import { type EvidenceWork, leaveEvidence } from "./evidence.ts";
import { gateCommandOf, type GateOptions } from "./gate_options.ts";
import { printHeader, printOutcome, printPlan, unusableGoldens } from "./gate_output.ts";
import { planOf, recordHead, runHead, type RunParts, unstarted } from "./gate_record.ts";
import { run } from "./gate_run.ts";
import { folderUrl } from "./paths.ts";
import { profileAdapter } from "./profiling.ts";
import { reportRun } from "./page_files.ts";
import { attempted, writeReports } from "./reports.ts";
import { selectCases, selectKernels } from "./selection.ts";
import { partOf } from "./sharding.ts";
import { readTexts } from "./text_overrides.ts";

export function gateCommand(): Command {
  return gateCommandOf(gate);
}

async function gate(globs: string[], options: GateOptions): Promise<ExitCode> {
  const file = options.record === undefined ? undefined : new RecordFile(options.record);
  const head = await recordHead();
  file?.write(unstarted(head, options));
  const prepared = await prepare(globs, options).catch((error) => {
    file?.write(unstarted(head, options, error));
    throw error;
  });
  const { work, checks } = prepared;
  const record = await run(
    work.chosen,
    checks,
    await runHead(head, prepared, options),
    options,
    file,
  );
  printOutcome(record);
  return await leaveReports(record, work, options, file);
}

/** A run that may begin. */
interface Prepared extends RunParts {
  readonly work: EvidenceWork;
  /** In the order in which they are run. */
  readonly checks: readonly Check[];
}

/** Finds the adapter and the checks, and prints them. */
async function prepare(globs: string[], options: GateOptions): Promise<Prepared> {
  const texts = readTexts(options.text ?? []);
  const kernels = selectKernels(options.kernel ?? []);
  const goldenFolder = options.golden ? folderUrl(options.golden) : GOLDEN_FOLDER;
  const goldens = new GoldenStore(goldenFolder);
  const computed = new Set(kernels.map(({ family }) => family));
  const selected = selectCases(globs, goldens.cases())
    .filter(({ family }) => computed.has(family.name));
  const cases = withoutLarge(selected, globs, options.full === true);

  // The GPU's process starts while the goldens are read.
  const assignment = { goldenFolder: goldenFolder.href, repeats: options.repeat, texts };
  const choosing = chooseAdapter(options, assignment, options.limit);
  choosing.catch(() => {}); // a problem with the goldens is told first
  try {
    const problems = goldenProblems(goldens, cases);
    if (problems.length > 0) throw unusableGoldens(problems.map(({ message }) => message));
    const chosen = await choosing;
    const whole = wholePlan(kernels, cases, options.workgroup ?? [workgroupFor(chosen.adapter)]);
    const part = await partOf(whole, options);
    const recognized = await profileAdapter(chosen);
    printHeader(chosen, recognized);
    printPlan(whole, cases.length, kernels.length, selected.length - cases.length, part.line);
    const profile = typeof recognized === "string" ? undefined : recognized.profile;
    const { limit, budget, second } = options;
    return {
      work: { chosen, profile, goldens, goldenFolder: goldenFolder.href, texts, limit, second },
      kernels,
      plan: await planOf(whole, options, part.shard),
      checks: budget === undefined ? part.checks : mostTellingFirst(part.checks, storedRecords()),
    };
  } catch (error) {
    await choosing.then(({ executor }) => executor.close(), () => {});
    throw error;
  }
}

function wholePlan(
  kernels: readonly Kernel[],
  cases: readonly Case[],
  workgroups: readonly number[],
): Check[] {
  const checks = planChecks(kernels, cases, workgroups);
  if (checks.length > 0) return checks;
  throw new Failure(EXIT.nothing, "Nothing to run: no kernel chosen computes a case chosen.");
}

/** Looks into failures and writes the reports; where that fails, what was found is not lost. */
async function leaveReports(
  found: RunRecord,
  work: EvidenceWork,
  options: GateOptions,
  file: RecordFile | undefined,
): Promise<ExitCode> {
  let record = found;
  let isWritten = await attempted(() => file?.write(record));
  const failures = failuresOf(record.results);
  if (options.evidence && failures.length > 0) {
    record = { ...record, diagnoses: await leaveEvidence(work, failures, options.evidence) };
    isWritten &&= await attempted(() => file?.write(record));
  }
  isWritten &&= await attempted(() => writeReports(record, KERNELS, options));
  if (options.report !== undefined) {
    const folder = options.report;
    isWritten &&= await attempted(() => reportRun(record, folder));
  }
  return isWritten || record.exitCode !== EXIT.passed ? record.exitCode as ExitCode : EXIT.usage;
}

/** Large cases run when asked for, by `--full` or by name. */
function withoutLarge(cases: readonly Case[], globs: readonly string[], full: boolean): Case[] {
  const kept = cases.filter(({ family, parsed, address }) =>
    full || globs.includes(address) || !family.isLarge(parsed)
  );
  if (kept.length > 0) return kept;
  throw new Failure(
    EXIT.nothing,
    `Nothing to run: ${counted(cases.length, "case")} chosen, all of them large. Add --full.`,
  );
}
