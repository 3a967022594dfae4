/**
 * The gate's run: from its checks to its record.
 *
 * @module
 */
import type { ChosenAdapter } from "../adapters/choose.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import type { RecordFile } from "../records/record_file.ts";
import type { RunRecord } from "../report/record.ts";
import type { Executor } from "../runner/executor.ts";
import { planBatches } from "../runner/plan.ts";
import { runChecks } from "../runner/schedule.ts";
import { type Check, countVerdicts, failuresOf, type Result } from "../runner/verdict.ts";
import { Bar } from "./bar.ts";
import type { GateOptions } from "./gate_options.ts";
import type { RunHead } from "./gate_record.ts";

/**
 * Runs the checks. The file holds what was found so far, marked as incomplete; its last word, with
 * what is found out about the failures, is the caller's.
 */
export async function run(
  { executor }: Pick<ChosenAdapter, "executor">,
  checks: readonly Check[],
  head: RunHead,
  options: GateOptions,
  file: RecordFile | undefined,
): Promise<RunRecord> {
  const begun = performance.now();
  const bar = new Bar(checks.length, "checks");
  const results: Result[] = [];
  const incomplete = (): RunRecord => ({
    ...head,
    seconds: secondsSince(begun),
    complete: false,
    results,
    exitCode: EXIT.differs,
  });
  let failed = 0;
  file?.write(incomplete());
  try {
    for await (const result of withinBudget(executor, checks, options)) {
      results.push(result);
      failed += failuresOf([result]).length;
      bar.show(results.length, failed > 0 ? `, ${failed} failed` : "");
      file?.refresh(incomplete);
      if (options.failFast && failed > 0) break;
    }
  } catch (error) {
    if (error instanceof Failure) {
      file?.write({ ...incomplete(), stopped: error.message, exitCode: error.exitCode });
    }
    throw error;
  } finally {
    bar.end();
    executor.close();
  }
  return {
    ...incomplete(),
    complete: true,
    exitCode: exitCodeOf(results, checks.length, options),
  };
}

/** Of the clock's digits those that it can tell. */
function secondsSince(begun: number): number {
  return Math.round(performance.now() - begun) / 1000;
}

/** All checks, or as many whole batches as are begun within the budget. */
async function* withinBudget(
  executor: Executor,
  checks: readonly Check[],
  { budget, repeat }: GateOptions,
): AsyncGenerator<Result> {
  if (budget === undefined) return yield* runChecks(executor, checks, repeat);
  const end = performance.now() + 1000 * budget;
  // The first one always runs: a budget that was too small would prove nothing.
  for (const batch of planBatches(checks, repeat)) {
    yield* runChecks(executor, batch, repeat);
    if (performance.now() > end) return;
  }
}

/** @param planned checks that must have a verdict, unless the run was told to leave some out */
function exitCodeOf(
  results: readonly Result[],
  planned: number,
  { failFast, budget, mayBeEmpty }: GateOptions,
): ExitCode {
  const { pass, differ, error } = countVerdicts(results);
  const endsEarly = failFast === true || budget !== undefined;
  if (differ + error > 0 || (results.length < planned && !endsEarly)) return EXIT.differs;
  if (planned === 0 && mayBeEmpty) return EXIT.passed;
  return pass > 0 ? EXIT.passed : EXIT.nothing;
}
