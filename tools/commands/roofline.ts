/**
 * `samebits roofline`: what this GPU's memory gives, and how far kernels and models are from it.
 *
 * @module
 */
import { Command } from "cli";
import { workgroupFor } from "../../kernels/mod.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER } from "../goldens/store.ts";
import { untimedLines } from "../report/bench_text.ts";
import { rooflineLines } from "../report/roofline_text.ts";
import { adapterLines } from "../report/text.ts";
import { ceilingOf, type Model, MODELS } from "../timing/models.ts";
import {
  arithmeticRate,
  bandwidthSizes,
  bestBandwidth,
  kernelPoints,
  ROOFLINE_FORMAT,
  type RooflineRecord,
} from "../timing/roofline.ts";
import { openTiming, sit, type TimingAdapter } from "../timing/run.ts";
import { productionCases } from "../timing/shapes.ts";
import { targetsOf } from "../timing/targets.ts";
import { VERSION } from "../version.ts";
import { aboveZero, list } from "./options.ts";
import { writeFile } from "./reports.ts";
import { selectKernels } from "./selection.ts";
import { progressBar, type TimingOptions, withTimingOptions } from "./timing_options.ts";

interface Options extends TimingOptions {
  readonly kernel?: readonly string[];
  readonly budget: number;
  readonly modelMs?: number;
  readonly modelGb?: number;
  readonly target: number;
  readonly record?: string;
  readonly svg?: string;
}

/** Passes over a buffer; the best counts. The wall clock beside them needs many to mean anything. */
const PASSES = { hardware: 64, software: 5 } as const;
const LEAST_SAMPLES = 3;
const MOST_SAMPLES = 50;
/** The part of the run that is reading, as far as a bar is concerned. */
const READING_PART = 0.2;

export function rooflineCommand(): Command {
  const command = new Command("roofline")
    .description("Measure the read bandwidth; say how far kernels and models are from it.")
    .option("--kernel <glob>", "only kernels of this name (may be repeated)", list);
  return withTimingOptions(command)
    .option("--budget <seconds>", "time to measure the kernels in", aboveZero, 10)
    .option("--model-gb <gigabytes>", "a model of yours: 10^9 bytes of weights a token", aboveZero)
    .option("--model-ms <milliseconds>", "what a token of it takes you", aboveZero)
    .option("--target <tokens>", "tokens a second that are wanted", aboveZero, 1000)
    .option("--record <file>", "write the record")
    .option("--svg <file>", "write the roofline with the kernels on it")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 a kernel's bits are wrong, 2 wrong usage, 3 no adapter or not the " +
        "required one.",
    )
    .action(async (options: Options) => {
      Deno.exitCode = await roofline(options);
    });
}

async function roofline(options: Options): Promise<ExitCode> {
  const models = modelsOf(options);
  const kernels = selectKernels(options.kernel ?? []);
  const chosen = await openTiming(options, GOLDEN_FOLDER);
  console.log(`samebits ${VERSION}, Deno ${Deno.version.deno}`);
  for (const line of adapterLines(chosen)) console.log(line);
  const cases = options.smoke ? productionCases().slice(0, 1) : productionCases();
  const targets = targetsOf(kernels, cases, workgroupFor(chosen.adapter));
  const bar = progressBar();
  const record = await measure(chosen, targets, models, options, bar.show).finally(() => {
    bar.end();
    chosen.executor.close();
  });
  for (const line of rooflineLines(record)) console.log(line);
  for (const line of untimedLines(record.untimed)) console.log(line);
  if (options.smoke) console.log("A smoke run: it shows that timing works, and no more.");
  if (options.record) writeFile(options.record, `${JSON.stringify(record, undefined, 1)}\n`);
  if (options.svg) {
    // The plotting library is loaded only where it is needed.
    const { rooflinePicture } = await import("../report/roofline_picture.ts");
    writeFile(options.svg, rooflinePicture(record));
  }
  const isWrong = record.untimed.some(({ verdict }) => verdict.kind !== "unsupported");
  return isWrong ? EXIT.differs : EXIT.passed;
}

async function measure(
  { adapter, backend, executor }: TimingAdapter,
  targets: ReturnType<typeof targetsOf>,
  models: readonly Model[],
  { smoke, budget, target }: Options,
  progress: (done: number) => void,
): Promise<RooflineRecord> {
  const started = new Date();
  const sizes = smoke ? [16 << 20] : bandwidthSizes(adapter);
  const passes = smoke ? 1 : PASSES[adapter.software ? "software" : "hardware"];
  const points = await executor.bandwidth(sizes, passes, (done) => progress(READING_PART * done));
  const best = bestBandwidth(points);
  const bandwidth = best.bytes / best.ns * 1e9;
  const { measurement, untimed } = await sit(executor, targets, {
    seconds: smoke ? 0 : budget,
    least: smoke ? 1 : LEAST_SAMPLES,
    most: smoke ? 1 : MOST_SAMPLES,
    together: false,
    seed: 1,
    thorough: !smoke,
  }, (done) => progress(READING_PART + (1 - READING_PART) * done));
  if (!measurement) {
    throw new Failure(
      EXIT.differs,
      [...untimedLines(untimed), "No kernel could be timed."].join("\n"),
    );
  }
  return {
    format: ROOFLINE_FORMAT,
    samebits: VERSION,
    deno: Deno.version.deno,
    started: started.toISOString(),
    adapter,
    backend,
    clock: measurement.clock,
    points,
    bandwidth,
    naive: best.bytes / best.wallNs * 1e9,
    arithmetic: arithmeticRate(measurement),
    kernels: kernelPoints(targets, measurement, bandwidth),
    untimed,
    target,
    models: models.map((model) => ceilingOf(model, bandwidth, target)),
  };
}

function modelsOf({ modelGb, modelMs }: Options): readonly Model[] {
  if (modelGb === undefined && modelMs !== undefined) {
    throw new Failure(
      EXIT.usage,
      "Cannot place --model-ms under the roofline: how much a token reads is not said. Add " +
        "--model-gb, the 10^9 bytes of the model's weights.",
    );
  }
  if (modelGb === undefined) return MODELS;
  const own = { name: "yours", bytes: modelGb * 1e9, ...(modelMs && { ms: modelMs }) };
  return [...MODELS, own];
}
