/**
 * `samebits mutants`: what a green run would have caught.
 *
 * @module
 */
import { Command } from "cli";
import { KERNELS, workgroupFor } from "../../kernels/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { type AdapterWish, chooseAdapter, type ChosenAdapter } from "../adapters/choose.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER, GoldenStore } from "../goldens/store.ts";
import { ladder } from "../mutants/ladder.ts";
import { mutantsOf } from "../mutants/make.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { readProofs } from "../mutants/proofs.ts";
import { joinRecords, type MutantsRecord, recordOf, type Tried } from "../mutants/record.ts";
import { brokenProofs, lost, scoresOf, unrecorded } from "../mutants/score.ts";
import { mutantsFile, PROOF_FILE, storedRecords, writeRecord } from "../mutants/store.ts";
import { type Fate, tryMutant } from "../mutants/trial.ts";
import { coverLines, leftOutLine, scoreLines, troubleLines } from "../report/mutants.ts";
import { adapterLines } from "../report/text.ts";
import { adapterName } from "../runner/adapter.ts";
import { ROOT } from "../texts/own.ts";
import { readTwins, type Twins } from "../texts/twins.ts";
import { withAdapterOptions } from "./adapter_options.ts";
import { Bar } from "./bar.ts";
import { list, positive } from "./options.ts";
import { profileAdapter } from "./profiling.ts";
import { globMatcher, selectKernels } from "./selection.ts";

interface Options extends AdapterWish {
  readonly kernel?: readonly string[];
  readonly workgroup?: number;
  readonly jobs: number;
  readonly accept?: true;
  readonly out?: string;
}

export function mutantsCommand(): Command {
  const command = new Command("mutants")
    .description("Change the shader texts at every place, and see which changes the cases notice.")
    .argument("[mutants...]", "globs of mutants' names; default: every mutant")
    .option(
      "--kernel <glob>",
      "kernels of this name (may be repeated); default: those that the engine has",
      list,
    );
  return withAdapterOptions(command)
    .option("--workgroup <size>", "default: the engine's rule", positive)
    .option("--jobs <count>", "processes that run mutants side by side", positive, 2)
    .option("--accept", "keep what became of them, in golden/mutants; only for whole kernels")
    .option("--out <file>", "write what became of them to a file")
    .addHelpText(
      "after",
      "\nExit codes: 0 every mutant is noticed, here or on an adapter whose record is kept, or is " +
        "proved equivalent,\nand none is lost against the record; 1 some are not; 2 wrong usage, 3 " +
        "no adapter or not the required one,\n4 records or proofs cannot be read, 5 no mutant matches.",
    )
    .action(async (globs: string[], options: Options) => {
      Deno.exitCode = await mutants(globs, options);
    });
}

async function mutants(globs: string[], options: Options): Promise<ExitCode> {
  const proofs = readProofs(PROOF_FILE);
  const stored = storedRecords();
  const kernels = chooseKernels(globs, options.kernel, readTwins(ROOT));
  const wanted = selectMutants(globs, kernels);
  const isWhole = globs.length === 0;
  if (options.accept && !isWhole) {
    throw new Failure(
      EXIT.usage,
      "Cannot accept a part of a kernel's mutants: the record holds all of them. Leave out the " +
        "names, or use --out.",
    );
  }
  const leftOut = KERNELS.filter((kernel) => !kernels.includes(kernel)).map(({ name }) => name);
  if (options.kernel === undefined && leftOut.length > 0) console.log(leftOutLine(leftOut));

  const { record, chosen } = await run(wanted, kernels, options);
  const others = stored.filter(({ adapter }) => adapter !== record.adapter);
  const before = stored.find(({ adapter }) => adapter === record.adapter);
  const scores = scoresOf(record, others, proofs);
  const trouble = {
    alive: scores.flatMap(({ alive }) => alive),
    lost: before ? lost(before, record) : [],
    proofs: isWhole ? brokenProofs(record, proofs) : [],
    unrecorded: unrecorded(before, record),
  };
  for (const line of adapterLines(chosen)) console.log(line);
  for (const line of scoreLines(scores)) console.log(line);
  for (const line of coverLines(record)) console.log(line);
  for (const line of troubleLines(trouble)) console.log(line);
  if (options.out) writeRecord(options.out, record);
  const isFine = trouble.alive.length + trouble.lost.length + trouble.proofs.length === 0;
  if (options.accept) {
    const file = mutantsFile(record.adapter);
    writeRecord(file, before ? joinRecords(before, record) : record);
    console.log(`Kept in ${file.pathname}`);
  }
  return isFine ? EXIT.passed : EXIT.differs;
}

/** Those asked for; where nothing is, those that the engine has: all would take a quarter of an hour. */
export function chooseKernels(
  globs: readonly string[],
  asked: readonly string[] | undefined,
  twins: Twins,
): readonly Kernel[] {
  if (asked || globs.length > 0) return selectKernels(asked ?? []);
  return KERNELS.filter(({ name }) => (twins.kernels[name]?.places.length ?? 0) > 0);
}

function selectMutants(globs: readonly string[], kernels: readonly Kernel[]): Mutant[] {
  const all = kernels.flatMap((kernel) => mutantsOf(kernel));
  const matchers = globs.map(globMatcher);
  const wanted = globs.length === 0
    ? all
    : all.filter(({ id }) => matchers.some((matches) => matches(id)));
  if (wanted.length > 0) return wanted;
  throw new Failure(
    EXIT.nothing,
    `Nothing to run: no mutant matches "${globs.join(" ")}". Names are like ` +
      `"${all[0]?.id}"; * is any run of characters.`,
  );
}

async function run(
  mutants: readonly Mutant[],
  kernels: readonly Kernel[],
  options: Options,
): Promise<{ record: MutantsRecord; chosen: ChosenAdapter }> {
  const work = { goldenFolder: GOLDEN_FOLDER.href, repeats: 1, texts: [] };
  const limit = 30;
  const chosen = await chooseAdapter(options, work, limit);
  const others = await Promise.all(
    Array.from({ length: options.jobs - 1 }, () => chooseAdapter(options, work, limit)),
  );
  const workers = [chosen, ...others];
  const workgroup = options.workgroup ?? workgroupFor(chosen.adapter);
  const cases = new GoldenStore().cases();
  const rungs = new Map(kernels.map(({ family }) => [family, ladder(cases, family)]));
  const familyOf = new Map(kernels.map(({ name, family }) => [name, family]));
  const sizeOf = new Map(kernels.map(({ name, workgroup: rule }) => [
    name,
    rule.kind === "fixed" ? rule.size : workgroup,
  ]));
  const bar = new Bar(mutants.length, "mutants");
  const fates = new Map<Mutant, Fate>();
  const queue = [...mutants];
  try {
    const recognized = await profileAdapter(chosen);
    const key = typeof recognized === "string" ? "not measured" : recognized.profile.key;
    await Promise.all(workers.map(async ({ executor }) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const ladderOf = rungs.get(familyOf.get(mutant.kernel)!)!;
        fates.set(mutant, await tryMutant(executor, mutant, ladderOf, sizeOf.get(mutant.kernel)!));
        bar.show(fates.size);
      }
    }));
    const tried: Tried = mutants.map((mutant) => ({ mutant, fate: fates.get(mutant)! }));
    return {
      record: recordOf({ adapter: adapterName(chosen.adapter), key, workgroup }, tried),
      chosen,
    };
  } finally {
    bar.end();
    for (const { executor } of workers) executor.close();
  }
}
