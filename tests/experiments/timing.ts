/**
 * How often the verdicts of timing are wrong on this adapter:
 *
 *     deno task experiment alarms     equal texts side by side: nothing may be called a change
 *     deno task experiment planted    a slowdown planted in the text: it must be found
 *     deno task experiment bench      whole benches of the same texts, each against each
 *
 * @module
 */
import { Command, Option } from "cli";
import { median } from "statistics";
import { caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import { EXIT, Failure } from "../../tools/exit_codes.ts";
import { GOLDEN_FOLDER } from "../../tools/goldens/store.ts";
import { adapterLines } from "../../tools/report/text.ts";
import { changeText } from "../../tools/report/times.ts";
import { comparisons, type Side, SIDES } from "../../tools/timing/ab.ts";
import { benchResults, type Timed } from "../../tools/timing/bench_record.ts";
import { type Comparison, detectable } from "../../tools/timing/decide.ts";
import { measuringOf } from "../../tools/timing/measuring.ts";
import type { TimingProcess } from "../../tools/timing/process.ts";
import type { Target } from "../../tools/timing/protocol.ts";
import { openTiming, type TimingAdapter } from "../../tools/timing/run.ts";
import type { Samples } from "../../tools/timing/sampling.ts";
import { productionCases } from "../../tools/timing/shapes.ts";
import { timeSittings } from "../../tools/timing/sitting_run.ts";
import { targetsOf } from "../../tools/timing/targets.ts";
import { plantedText } from "./planted.ts";

interface Options {
  readonly adapter?: string;
  readonly comparisons: string;
  readonly seconds?: string;
  readonly clock?: "timestamps" | "slope";
}

/** Seconds that a comparison of one kernel may take; the bar is 10. */
const SECONDS = { hardware: 2, software: 4 } as const;
/** Rounds of extra work that no slowdown asked for needs more than. */
const MOST_ROUNDS = 16_384;
/** Comparisons whose median says how much slower a text is. */
const SEARCH_COMPARISONS = 3;
const LIMIT = 120;
const ADDRESS = "q1_0_matmul/layer:model=1.7B,matrix=attn_q,cols=1,seed=1";
/** Those that compute this case; kernels of other families take no such input. */
const COMPARED = KERNELS.filter(({ family }) => family === caseAt(ADDRESS).family.name);

class Experiment {
  #serial = 0;

  constructor(readonly process: TimingProcess, readonly workgroup: number, readonly kind: Kind) {}

  /** Proves the kernel's own text twice and another one, and gives their targets. */
  async prove(kernel: Kernel, text: string): Promise<Target[]> {
    const serial = ++this.#serial;
    const { workgroup: rule, name, file } = kernel;
    const targets = SIDES.map((side): Target => ({
      id: `${name} ${side} ${serial}`,
      kernel: name,
      address: ADDRESS,
      workgroup: rule.kind === "fixed" ? rule.size : this.workgroup,
      variant: {
        name: `${side} ${serial}`,
        file,
        text: side === "B" ? text : kernel.text,
      },
    }));
    const verdicts = await this.process.prove(targets, () => {});
    const wrong = verdicts.find(({ kind }) => kind !== "pass");
    if (wrong) throw new Failure(EXIT.differs, `${name}: ${JSON.stringify(wrong)}`);
    return targets;
  }

  async compare(targets: readonly Target[], seed: number): Promise<Comparison> {
    const measuring = { ...measuringOf({}, this.kind.seconds), seed };
    const ids = targets.map(({ id }) => id);
    const measurement = await this.process.measure(ids, measuring, () => {});
    const samples = Object.fromEntries(
      SIDES.map((side, i) => [side, measurement.targets[i]!.samples]),
    ) as Record<Side, Samples>;
    return comparisons(samples, this.kind.detect).comparison;
  }

  /** Rounds of extra work that make a kernel slower by what is to be found. */
  async plant(kernel: Kernel): Promise<Target[]> {
    const wanted = this.kind.detect;
    let low = 0;
    let high = 8;
    const slowdown = async (rounds: number) => {
      const targets = await this.prove(kernel, plantedText(kernel, rounds));
      const ratios: number[] = [];
      for (let i = 0; i < SEARCH_COMPARISONS; i++) {
        ratios.push((await this.compare(targets, i)).ratio.estimate);
      }
      return { targets, by: median(ratios) - 1 };
    };
    let found = await slowdown(high);
    while (found.by < wanted && high < MOST_ROUNDS) {
      low = high;
      high *= 2;
      found = await slowdown(high);
    }
    while (high - low > Math.max(1, high / 8)) {
      const middle = Math.floor((low + high) / 2);
      const tried = await slowdown(middle);
      if (tried.by < wanted) low = middle;
      else [high, found] = [middle, tried];
    }
    console.log(`${kernel.name}: ${high} rounds of extra work, ${changeText(1 + found.by)}`);
    return found.targets;
  }
}

interface Kind {
  readonly seconds: number;
  readonly detect: number;
}

async function sideBySide(options: Options, plant: boolean): Promise<boolean> {
  const chosen = await open(options);
  const { adapter, executor } = chosen;
  const kind: Kind = {
    seconds: Number(options.seconds ?? SECONDS[adapter.software ? "software" : "hardware"]),
    detect: detectable(adapter.software),
  };
  const experiment = new Experiment(executor, workgroupFor(adapter), kind);
  let right = true;
  try {
    for (const kernel of COMPARED) {
      const targets = plant
        ? await experiment.plant(kernel)
        : await experiment.prove(kernel, kernel.text);
      const results: Comparison[] = [];
      for (let i = 0; i < Number(options.comparisons); i++) {
        results.push(await experiment.compare(targets, 1000 + i));
      }
      const counts = printRow(kernel.name, results);
      right &&= plant ? counts.slower >= 0.9 * results.length : counts.slower + counts.faster === 0;
    }
  } finally {
    executor.close();
  }
  return right;
}

async function benches(options: Options): Promise<boolean> {
  const first = await open(options);
  const { adapter } = first;
  const targets = targetsOf(KERNELS, productionCases(), workgroupFor(adapter));
  const runs: (readonly Timed[])[] = [];
  for (let i = 0; i < Number(options.comparisons); i++) {
    const { timed } = await timeSittings({
      first: i === 0 ? first : await openTiming(wishOf(options), GOLDEN_FOLDER),
      open: () => openTiming(wishOf(options), GOLDEN_FOLDER),
      targets,
      budget: Number(options.seconds ?? (adapter.software ? 60 : 30)),
      smoke: false,
      progress: () => {},
    });
    runs.push(timed);
  }
  let right = true;
  runs.forEach((before, i) =>
    runs.slice(i + 1).forEach((now, j) => {
      const entries = Object.fromEntries(
        before.map((one) => [one.target.id, { ...one, history: [] }]),
      );
      const results = benchResults(now, entries, detectable(adapter.software))
        .flatMap(({ comparison }) => comparison ? [comparison] : []);
      const { slower, faster } = printRow(`${i + 1} : ${i + j + 2}`, results);
      right &&= slower + faster === 0;
    })
  );
  return right;
}

async function open(options: Options): Promise<TimingAdapter> {
  const chosen = await openTiming(wishOf(options), GOLDEN_FOLDER);
  for (const line of adapterLines(chosen)) console.log(line);
  console.log(
    ["", "slower", "faster", "no change", "inconclusive", "median", "noise"]
      .map((cell) => cell.padStart(13)).join(""),
  );
  return chosen;
}

function wishOf({ adapter, clock }: Options) {
  return { limit: LIMIT, ...(adapter && { adapter }), ...(clock && { clock }) };
}

function printRow(name: string, results: readonly Comparison[]) {
  const count = (kind: string) => results.filter(({ verdict }) => verdict.kind === kind).length;
  const counts = { slower: count("slower"), faster: count("faster") };
  const cells = [
    name,
    `${counts.slower} of ${results.length}`,
    counts.faster,
    count("no change"),
    count("inconclusive"),
    changeText(median(results.map(({ ratio }) => ratio.estimate))),
    `${(100 * median(results.map(({ noise }) => noise))).toFixed(1)} %`,
  ];
  console.log(cells.map((cell) => String(cell).padStart(13)).join(""));
  return counts;
}

function command(name: string, comparisons: number, run: (options: Options) => Promise<boolean>) {
  return new Command(name)
    .addOption(new Option("--adapter <name>").env("SAMEBITS_ADAPTER"))
    .addOption(new Option("--clock <kind>").choices(["timestamps", "slope"]))
    .option("--comparisons <count>", "comparisons of a kernel, or benches", String(comparisons))
    .option("--seconds <seconds>", "of a comparison, or a bench")
    .action(async (options: Options) => {
      const right = await run(options);
      console.log(right ? "The bar is met." : "The bar is missed.");
      Deno.exitCode = right ? EXIT.passed : EXIT.differs;
    });
}

if (import.meta.main) {
  const experiment = new Command("experiment")
    .addCommand(command("alarms", 30, (options) => sideBySide(options, false)))
    .addCommand(command("planted", 10, (options) => sideBySide(options, true)))
    .addCommand(command("bench", 4, benches));
  try {
    await experiment.parseAsync(Deno.args, { from: "user" });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    Deno.exitCode = error.exitCode;
  }
}
