/**
 * `samebits bench`: times kernels, and holds them against the baseline of this very adapter.
 *
 * @module
 */
import { Command } from "cli";
import { workgroupFor } from "../../kernels/mod.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { benchLines, benchSummary, untimedLines } from "../report/bench_text.ts";
import { counted } from "../report/numbers.ts";
import { adapterLines } from "../report/text.ts";
import { profileOf } from "../profile/profile.ts";
import { type Baseline, BASELINE_FOLDER, BaselineStore } from "../timing/baseline.ts";
import { BENCH_FORMAT, type BenchRecord, benchResults } from "../timing/bench_record.ts";
import { detectable } from "../timing/decide.ts";
import { type Environment, environmentOf } from "../timing/key.ts";
import { openTiming, type TimingAdapter } from "../timing/run.ts";
import { productionCases } from "../timing/shapes.ts";
import { timeSittings } from "../timing/sitting_run.ts";
import { targetsOf } from "../timing/targets.ts";
import { stopwatch } from "../timing/time_left.ts";
import { VERSION } from "../version.ts";
import { acceptBaseline, noBaseline } from "./baselines.ts";
import { refuseInCi } from "./ci.ts";
import { aboveZero, list } from "./options.ts";
import { folderUrl } from "./paths.ts";
import { implementation, processorName } from "./profiling.ts";
import { writeFile } from "./reports.ts";
import { selectKernels, selectTimed } from "./selection.ts";
import { progressBar, type TimingOptions, withTimingOptions } from "./timing_options.ts";

interface Options extends TimingOptions {
  readonly kernel?: readonly string[];
  readonly budget?: number;
  readonly detect?: number;
  readonly accept?: true;
  readonly reason?: string;
  readonly gate?: true;
  readonly golden?: string;
  readonly baselines?: string;
  readonly record?: string;
}

/** Seconds for all samples, where nothing is said: a software adapter has none to spare. */
const BUDGET = { hardware: 30, software: 60 } as const;

export function benchCommand(): Command {
  const command = new Command("bench")
    .description("Time kernels, and hold them against the baseline of this very adapter.")
    .argument(
      "[addresses...]",
      "globs of case addresses, or any address; default: the production shapes of each family",
    )
    .option("--kernel <glob>", "only kernels of this name (may be repeated)", list);
  return withTimingOptions(command)
    .option("--budget <seconds>", "time to measure in; default: 30, 60 on the CPU", aboveZero)
    .option(
      "--detect <percent>",
      "smallest change looked for; default: 5, 20 on the CPU",
      aboveZero,
    )
    .option("--accept", "store what was measured as the baseline")
    .option("--reason <text>", "why; kept in the baseline")
    .option("--gate", "exit 1 where a kernel is slower")
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .option("--baselines <folder>", "the folder of baselines; default: golden/timings")
    .option("--record <file>", "write the record, with every sample")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 a kernel's bits are wrong, or it is slower (--gate), 2 wrong usage, " +
        "3 no\nadapter or not the required one, 4 a baseline cannot be used, or is missing " +
        "(--gate), 5 nothing to time.",
    )
    .action(async (globs: string[], options: Options) => {
      Deno.exitCode = await bench(globs, options);
    });
}

async function bench(globs: string[], options: Options): Promise<ExitCode> {
  refuseMisuse(options);
  const kernels = selectKernels(options.kernel ?? []);
  const goldenFolder = options.golden ? folderUrl(options.golden) : GOLDEN_FOLDER;
  const cases = globs.length > 0
    ? selectTimed(globs, new GoldenStore(goldenFolder).cases())
    : productionCases();
  const wish = { ...options };
  const chosen = await openTiming(wish, goldenFolder);
  const { adapter, backend } = chosen;
  const targets = targetsOf(kernels, cases, workgroupFor(adapter));
  const store = new BaselineStore(
    options.baselines ? folderUrl(options.baselines) : BASELINE_FOLDER,
  );
  let environment: Environment;
  let baseline: Baseline | undefined;
  try {
    if (targets.length === 0) {
      throw new Failure(EXIT.nothing, "Nothing to time: no kernel chosen computes a case chosen.");
    }
    const rules = await chosen.executor.rules();
    environment = environmentOf(
      await profileOf(adapter, rules, implementation()),
      backend,
      processorName(),
    );
    baseline = await store.read(environment.key);
    if (options.gate && !baseline) throw await noBaseline(store, environment);
  } catch (error) {
    chosen.executor.close();
    throw error;
  }
  printHeader(chosen, targets.length);
  const started = new Date();
  const watch = stopwatch();
  const bar = progressBar();
  const budget = options.budget ?? BUDGET[adapter.software ? "software" : "hardware"];
  const measured = await timeSittings({
    first: chosen,
    open: () => openTiming(wish, goldenFolder),
    targets,
    budget,
    smoke: options.smoke === true,
    progress: bar.show,
  }).finally(bar.end);
  const detect = options.detect === undefined ? detectable(adapter.software) : options.detect / 100;
  const record: BenchRecord = {
    format: BENCH_FORMAT,
    samebits: VERSION,
    started: started.toISOString(),
    seconds: watch(),
    environment,
    floorNs: measured.floorNs,
    smoke: options.smoke === true,
    results: benchResults(measured.timed, options.smoke ? {} : baseline?.entries ?? {}, detect),
    untimed: measured.untimed,
  };
  if (options.record) writeFile(options.record, `${JSON.stringify(record, undefined, 1)}\n`);
  for (const line of benchLines(record)) console.log(line);
  for (const line of untimedLines(record.untimed)) console.log(line);
  console.log(benchSummary(record));
  if (options.smoke) console.log("A smoke run: it shows that timing works, and no more.");
  else if (!baseline && !options.accept) {
    console.log((await noBaseline(store, environment)).message);
  }
  if (options.accept) await acceptBaseline(store, record, baseline, options.reason!);
  return exitCodeOf(record, options);
}

function refuseMisuse({ accept, reason, smoke, gate }: Options): void {
  const usage = (message: string) => new Failure(EXIT.usage, message);
  if (smoke && (accept || gate)) {
    throw usage(
      `Cannot use --smoke with ${accept ? "--accept" : "--gate"}: the times of a smoke run mean ` +
        "nothing. Leave one of them out.",
    );
  }
  if (!accept && reason !== undefined) {
    throw usage(
      "Cannot use --reason without --accept: a comparison stores nothing. Add --accept, or leave " +
        "it out.",
    );
  }
  if (!accept) return;
  if (!reason?.trim()) {
    throw usage(
      "Cannot accept a baseline without a reason: it is what a reviewer reads beside the change. " +
        'Say why: deno task bench --accept --reason "…"',
    );
  }
  refuseInCi("baselines");
}

function printHeader(chosen: TimingAdapter, targets: number): void {
  console.log(`samebits ${VERSION}, Deno ${Deno.version.deno}`);
  if (chosen.fallback) {
    console.log("This machine has no adapter: running on the embedded one, SwiftShader.");
  }
  for (const line of adapterLines(chosen)) console.log(line);
  console.log(`plan     ${counted(targets, "kernel and shape", "kernels and shapes")}\n`);
}

function exitCodeOf({ results, untimed }: BenchRecord, { gate }: Options): ExitCode {
  if (untimed.some(({ verdict }) => verdict.kind !== "unsupported")) return EXIT.differs;
  if (results.length === 0) return EXIT.nothing;
  if (!gate) return EXIT.passed;
  if (results.some(({ comparison }) => comparison?.verdict.kind === "slower")) return EXIT.differs;
  return results.some(({ comparison }) => !comparison) ? EXIT.goldens : EXIT.passed;
}
