/**
 * `samebits ab`: two texts of a kernel, proved and timed side by side.
 *
 * @module
 */
import { Command } from "cli";
import { quickCases } from "../../cases/mod.ts";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { abLines } from "../report/ab_text.ts";
import { untimedLines } from "../report/bench_text.ts";
import { adapterLines } from "../report/text.ts";
import { type AbOutcome, type AbResult, compareTexts, type TextPair } from "../timing/ab.ts";
import { detectable } from "../timing/decide.ts";
import { openTiming } from "../timing/run.ts";
import { productionCases } from "../timing/shapes.ts";
import { pairOfFiles, pairOfKernels, pairsAgainst } from "../timing/text_pairs.ts";
import { VERSION } from "../version.ts";
import { aboveZero, list } from "./options.ts";
import { writeFile } from "./reports.ts";
import { selectKernels, selectTimed } from "./selection.ts";
import { measuringOf } from "../timing/measuring.ts";
import { progressBar, type TimingOptions, withTimingOptions } from "./timing_options.ts";

interface Options extends TimingOptions {
  readonly kernel?: readonly string[];
  readonly case?: readonly string[];
  readonly against?: string;
  readonly budget: number;
  readonly detect?: number;
  readonly gate?: true;
  readonly record?: string;
  readonly svg?: string;
}

/** Grows when a reader of older records would misread a new one. */
const AB_FORMAT = 2;
/** Production shapes that a software adapter times in passing: the first of them. */
const SOFTWARE_CASES = 1;

export function abCommand(): Command {
  const command = new Command("ab")
    .description("Prove two texts, then time them side by side.")
    .argument(
      "[texts...]",
      "A.wgsl B.wgsl, or B.wgsl alone: against the kernel's own text; or two kernels' names",
    )
    .option("--against <revision>", "every kernel whose text differs there; that one is A")
    .option(
      "--kernel <glob>",
      "whose recipe runs the texts; default: told by the files' names",
      list,
    )
    .option(
      "--case <glob>",
      "cases to time, or any address (may be repeated); default: production shapes",
      list,
    );
  return withTimingOptions(command)
    .option("--budget <seconds>", "time to measure a kernel in", aboveZero, 10)
    .option(
      "--detect <percent>",
      "smallest change looked for; default: 5, 20 on the CPU",
      aboveZero,
    )
    .option("--gate", "exit 1 where B is slower")
    .option("--record <file>", "write the record, with every sample")
    .option("--svg <file>", "write a picture of the times")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 a text's bits are wrong, or B is slower (--gate), 2 wrong usage, 3 no " +
        "adapter\nor not the required one, 5 nothing to compare.",
    )
    .action(async (texts: string[], options: Options) => {
      Deno.exitCode = await ab(texts, options);
    });
}

async function ab(texts: string[], options: Options): Promise<ExitCode> {
  const pairs = pairsOf(texts, options);
  const chosenCases = options.case && selectTimed(options.case, new GoldenStore().cases());
  const chosen = await openTiming(options, GOLDEN_FOLDER);
  const { adapter, executor } = chosen;
  console.log(`samebits ${VERSION}, Deno ${Deno.version.deno}`);
  for (const line of adapterLines(chosen)) console.log(line);
  console.log("");
  const detect = options.detect === undefined ? detectable(adapter.software) : options.detect / 100;
  const cases = chosenCases ??
    productionCases().slice(0, adapter.software ? SOFTWARE_CASES : undefined);
  const outcomes: { pair: TextPair; outcome: AbOutcome }[] = [];
  const bar = progressBar();
  try {
    for (const [i, pair] of pairs.entries()) {
      const { family } = kernelNamed(pair.a.kernel);
      const addresses = (of: typeof cases) =>
        of.filter((one) => one.family.name === family).map(({ address }) => address);
      const outcome = await compareTexts(executor, {
        pair,
        workgroupOf: (name) => {
          const { workgroup: rule } = kernelNamed(name);
          return rule.kind === "fixed" ? rule.size : workgroupFor(adapter);
        },
        timed: addresses(cases),
        proved: options.smoke ? [] : addresses(quickCases()),
        measuring: measuringOf(options, options.budget),
        detect,
      }, (done) => bar.show((i + done) / pairs.length));
      outcomes.push({ pair, outcome });
    }
  } finally {
    bar.end();
    executor.close();
  }
  const results = outcomes.flatMap(({ outcome }) => outcome.results);
  for (const { pair, outcome } of outcomes) {
    for (const line of abLines(pair, outcome.results)) console.log(line);
    for (const line of untimedLines(outcome.untimed)) console.log(line);
  }
  if (options.smoke) console.log("A smoke run: it shows that timing works, and no more.");
  await writeReports(outcomes, results, options);
  const untimed = outcomes.flatMap(({ outcome }) => outcome.untimed);
  if (untimed.some(({ verdict }) => verdict.kind !== "unsupported")) return EXIT.differs;
  if (results.length === 0) return EXIT.nothing;
  const slower = results.some(({ comparison }) => comparison.verdict.kind === "slower");
  return options.gate && slower ? EXIT.differs : EXIT.passed;
}

function kernelNamed(name: string): Kernel {
  return KERNELS.find((one) => one.name === name)!;
}

function pairsOf(texts: readonly string[], { against, kernel }: Options): TextPair[] {
  const kernels: readonly Kernel[] = kernel ? selectKernels(kernel) : [];
  if ((against === undefined) === (texts.length === 0) || texts.length > 2) {
    throw new Failure(
      EXIT.usage,
      `Cannot compare ${texts.length} files${against === undefined ? "" : " and a revision"}. ` +
        "Name two files (A.wgsl B.wgsl) or kernels, one file (against the kernel's own text), or a " +
        "revision (--against HEAD).",
    );
  }
  if (against === undefined) {
    const [a, b] = texts.map((name) => KERNELS.find((one) => one.name === name));
    if (a && b) return [pairOfKernels(a, b)];
    const other = texts[a ? 1 : 0];
    if ((a || b) && other !== undefined && !other.endsWith(".wgsl")) {
      throw new Failure(
        EXIT.usage,
        `Cannot compare ${
          (a ?? b)!.name
        } with "${other}": it is no kernel. Name two kernels (deno ` +
          "task list kernels), or WGSL files.",
      );
    }
    return [pairOfFiles(texts, kernels, KERNELS)];
  }
  const pairs = pairsAgainst(against, kernels.length > 0 ? kernels : KERNELS);
  if (pairs.length > 0) return pairs;
  throw new Failure(
    EXIT.nothing,
    `Nothing to compare: no kernel's text here differs from ${against}'s. Change one, or name ` +
      "another revision.",
  );
}

async function writeReports(
  outcomes: readonly { pair: TextPair; outcome: AbOutcome }[],
  results: readonly AbResult[],
  { record: file, svg }: Options,
): Promise<void> {
  if (file) {
    const record = { format: AB_FORMAT, samebits: VERSION, outcomes };
    writeFile(file, `${JSON.stringify(record, undefined, 1)}\n`);
  }
  if (!svg || results.length === 0) return;
  // The plotting library is loaded only where it is needed.
  const { abPicture } = await import("../report/ab_picture.ts");
  writeFile(svg, abPicture(results, "Times of A, of A again, and of B"));
}
