/**
 * `samebits gate`: runs kernels on cases and holds every output against its golden.
 *
 * @module
 */
import { Command, Option } from "cli";
import type { Case } from "../../cases/mod.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import { chooseAdapter, type ChosenAdapter } from "../adapters/choose.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { goldenProblems } from "../goldens/problems.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { mostTellingFirst } from "../mutants/order.ts";
import { storedRecords } from "../mutants/store.ts";
import { counted, shellWord } from "../report/numbers.ts";
import { RECORD_FORMAT, type RunRecord } from "../report/record.ts";
import type { Executor } from "../runner/executor.ts";
import { planBatches, planChecks } from "../runner/plan.ts";
import { runChecks } from "../runner/schedule.ts";
import { type Check, countVerdicts, failuresOf, type Result } from "../runner/verdict.ts";
import { VERSION } from "../version.ts";
import { Bar } from "./bar.ts";
import { leaveEvidence } from "./evidence.ts";
import { printHeader, printOutcome, printPlan, unusableGoldens } from "./gate_output.ts";
import { list, positive, positiveList, seconds } from "./options.ts";
import { folderUrl } from "./paths.ts";
import { profileAdapter } from "./profiling.ts";
import { writeReports } from "./reports.ts";
import { selectCases, selectKernels } from "./selection.ts";
import { readTexts } from "./text_overrides.ts";

interface Options {
  readonly kernel?: readonly string[];
  readonly adapter?: string;
  readonly backend?: string;
  readonly require?: string;
  readonly workgroup?: readonly number[];
  readonly repeat: number;
  readonly limit: number;
  readonly failFast?: true;
  readonly full?: true;
  readonly text?: readonly string[];
  readonly golden?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly evidence?: string;
  readonly second?: string;
  readonly budget?: number;
}

export function gateCommand(): Command {
  return new Command("gate")
    .description("Run kernels on cases, and hold every output against its golden bits.")
    .argument("[addresses...]", "globs of case addresses; default: every case")
    .option("--kernel <glob>", "only kernels of this name (may be repeated)", list)
    .addOption(
      new Option(
        "--adapter <name>",
        "default, embedded, high-performance, low-power or a Vulkan driver",
      ).env("SAMEBITS_ADAPTER"),
    )
    .option("--backend <name>", "vulkan, metal, dx12 or gl; default: the system's own")
    .option("--require <what>", "'hardware', or a text in the adapter's name; else exit 3")
    .option("--workgroup <sizes>", "sizes, 32,64; default: the engine's rule", positiveList)
    .option(
      "--repeat <times>",
      "run every check so often; all must give the same bits",
      positive,
      1,
    )
    .option("--limit <seconds>", "longest time for a batch of checks", positive, 30)
    .option("--fail-fast", "stop at the first check that does not pass")
    .option("--full", "large cases too")
    .option("--text <kernel=file>", "run this WGSL file as the kernel's text", list)
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .option("--json <file>", "write the record of the run")
    .option("--junit <file>", "write JUnit XML")
    .option(
      "--budget <time>",
      "begin no batch after this time, 5s; what notices the most runs first",
      seconds,
    )
    .option("--evidence <folder>", "look into failing checks, and leave what explain reads")
    .option(
      "--second <adapter>",
      "runs failing checks too, with --evidence: a name as for --adapter, or none; default: another " +
        "one that is here",
    )
    .addHelpText(
      "after",
      "\nExit codes: 0 all passed, 1 something differs, 2 wrong usage, 3 no " +
        "adapter or not the\nrequired one, 4 goldens missing, damaged or orphaned, 5 nothing to run.",
    )
    .action(async (globs: string[], options: Options) => {
      Deno.exitCode = await gate(globs, options);
    });
}

async function gate(globs: string[], options: Options): Promise<ExitCode> {
  const texts = readTexts(options.text ?? []);
  const kernels = selectKernels(options.kernel ?? []);
  const goldenFolder = options.golden ? folderUrl(options.golden) : GOLDEN_FOLDER;
  const goldens = new GoldenStore(goldenFolder);
  const selected = selectCases(globs, goldens.cases());
  const cases = withoutLarge(selected, globs, options.full === true);

  // The GPU's process starts while the goldens are read.
  const work = { goldenFolder: goldenFolder.href, repeats: options.repeat, texts };
  const choosing = chooseAdapter(options, work, options.limit);
  choosing.catch(() => {}); // a problem with the goldens is told first
  const problems = goldenProblems(goldens, cases);
  if (problems.length > 0) {
    await choosing.then(({ executor }) => executor.close(), () => {});
    throw unusableGoldens(problems.map(({ message }) => message));
  }
  const chosen = await choosing;
  const workgroups = options.workgroup ?? [workgroupFor(chosen.adapter)];
  const planned = planChecks(kernels, cases, workgroups);
  const checks = options.budget === undefined
    ? planned
    : mostTellingFirst(planned, storedRecords());
  if (checks.length === 0) {
    chosen.executor.close();
    throw new Failure(EXIT.nothing, "Nothing to run: no kernel chosen computes a case chosen.");
  }
  const recognized = await profileAdapter(chosen);
  printHeader(chosen, recognized);
  printPlan(checks, cases.length, kernels.length, selected.length - cases.length);
  const record = await run(chosen, checks, options);
  printOutcome(record);
  const written = await reportsWritten(record, options);
  const failures = failuresOf(record.results);
  if (options.evidence && failures.length > 0) {
    const profile = typeof recognized === "string" ? undefined : recognized.profile;
    const { limit, second } = options;
    const work = {
      chosen,
      profile,
      goldens,
      goldenFolder: goldenFolder.href,
      texts,
      limit,
      second,
    };
    await leaveEvidence(work, failures, options.evidence);
  }
  return written || record.exitCode !== EXIT.passed ? record.exitCode as ExitCode : EXIT.usage;
}

/** Writes the reports; where that fails, what was found is not lost with them. */
async function reportsWritten(record: RunRecord, options: Options): Promise<boolean> {
  try {
    await writeReports(record, KERNELS, options);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return false;
  }
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

async function run(chosen: ChosenAdapter, checks: Check[], options: Options): Promise<RunRecord> {
  const { executor, adapter, backend, driverFile } = chosen;
  const started = new Date();
  const begun = performance.now();
  const bar = new Bar(checks.length, "checks");
  const results: Result[] = [];
  let failed = 0;
  try {
    for await (const result of withinBudget(executor, checks, options)) {
      results.push(result);
      failed += failuresOf([result]).length;
      bar.show(results.length, failed > 0 ? `, ${failed} failed` : "");
      if (options.failFast && failed > 0) break;
    }
  } finally {
    bar.end();
    executor.close();
  }
  return {
    format: RECORD_FORMAT,
    samebits: VERSION,
    deno: Deno.version.deno,
    started: started.toISOString(),
    seconds: (performance.now() - begun) / 1000,
    adapter,
    backend,
    ...(driverFile !== undefined && { driverFile }),
    options: reproductionOptions(options),
    planned: checks.length,
    repeats: options.repeat,
    results,
    exitCode: exitCodeOf(results, endsEarly(options) ? results.length : checks.length),
  };
}

/** All checks, or as many whole batches as are begun within the budget. */
async function* withinBudget(
  executor: Executor,
  checks: readonly Check[],
  { budget, repeat }: Options,
): AsyncGenerator<Result> {
  if (budget === undefined) return yield* runChecks(executor, checks, repeat);
  const end = performance.now() + 1000 * budget;
  for (const batch of planBatches(checks, repeat)) {
    if (performance.now() > end) return;
    yield* runChecks(executor, batch, repeat);
  }
}

/** Was the run told to leave checks out? */
function endsEarly({ failFast, budget }: Options): boolean {
  return failFast === true || budget !== undefined;
}

/** @param wanted checks that must have a verdict */
function exitCodeOf(results: readonly Result[], wanted: number): ExitCode {
  const { pass, differ, error } = countVerdicts(results);
  if (differ + error > 0 || results.length < wanted) return EXIT.differs;
  return pass > 0 ? EXIT.passed : EXIT.nothing;
}

/** What a line that runs one check again has to repeat. */
function reproductionOptions(options: Options): string[] {
  const { adapter, backend, repeat, text, golden } = options;
  return [
    ...adapter ? [`--adapter ${shellWord(adapter)}`] : [],
    ...backend ? [`--backend ${backend}`] : [],
    ...repeat > 1 ? [`--repeat ${repeat}`] : [],
    ...(text ?? []).map((one) => `--text ${shellWord(one)}`),
    ...golden ? [`--golden ${shellWord(golden)}`] : [],
  ];
}
