/**
 * `samebits texts`: holds the shader texts against the engine's, and copies them.
 *
 * @module
 */
import { Command, Option } from "cli";
import { KERNELS } from "../../kernels/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { compareWithRevision } from "../texts/against.ts";
import { compareWithEngine, compareWithRecord, twinNames } from "../texts/compare.ts";
import { type Compile, compileOnAdapter } from "../texts/compile.ts";
import { emitKernels, type EmitLanguage } from "../texts/emit.ts";
import { type Engine, openEngine } from "../texts/engine.ts";
import { extractTexts } from "../texts/extract.ts";
import { openParsers } from "../texts/grammars.ts";
import {
  comparisonOutcome,
  type Outcome,
  recordOutcome,
  revisionOutcome,
  syncOutcome,
} from "../texts/outcome.ts";
import { type OwnText, readOwnTexts, ROOT } from "../texts/own.ts";
import { recordOwn } from "../texts/record.ts";
import { type Repository, synchronize } from "../texts/sync.ts";
import { readTwins } from "../texts/twins.ts";

interface Options {
  readonly engine?: string;
  readonly sync?: true;
  readonly allowDirty?: true;
  readonly emit?: EmitLanguage;
  readonly against?: string;
  readonly record?: true;
  readonly reason?: string;
}

/** What the command works on; tests give their own. */
export interface TextsContext {
  readonly root: string;
  readonly kernels: readonly OwnText[];
  readonly compile: Compile;
}

const PROJECT: TextsContext = { root: ROOT, kernels: KERNELS, compile: compileOnAdapter };

export function textsCommand(context: TextsContext = PROJECT): Command {
  return new Command("texts")
    .description(
      "Compare the shader texts with the engine's; without an engine, with the recorded hashes.",
    )
    .argument("[kernels...]", "with --emit: the kernels to print; default: every one")
    .option("--engine <folder>", "the engine's checkout; default: the variable BANKML_DIR")
    .option("--sync", "copy the engine's texts here, and record its commit")
    .option("--allow-dirty", "with --sync: although the checkout has uncommitted changes")
    .addOption(
      new Option("--emit <language>", "print kernels as constants to paste into the engine")
        .choices(["rust", "js"]),
    )
    .option("--against <revision>", "compare with another revision of this repository")
    .option("--record", "record the texts as they are here, while no engine has agreed with them")
    .option("--reason <text>", "with --record: why they change; kept with the record")
    .action(async (names: string[], options: Options) => {
      const { lines, exitCode } = await texts(context, names, options);
      console.log(lines.join("\n"));
      Deno.exitCode = exitCode;
    });
}

async function texts(context: TextsContext, names: string[], options: Options): Promise<Outcome> {
  refuseMixedOptions(names, options);
  const { root } = context;
  const own = readOwnTexts(root, context.kernels);
  if (options.against !== undefined) {
    const findings = compareWithRevision(root, own, options.against);
    return revisionOutcome(options.against, findings);
  }
  const twins = readTwins(root);
  if (options.emit) {
    const constants = emitKernels(own, twins, names, options.emit);
    return { lines: [constants.join("\n").trimEnd()], exitCode: EXIT.passed };
  }
  const repository = { root, own, twins };
  if (options.record) return record(repository, options.reason);
  const engine = namedEngine(options);
  if (engine) return await withEngine(repository, engine, context.compile, options);
  return recordOutcome(twins, compareWithRecord(own, twins));
}

function usage(message: string): Failure {
  return new Failure(EXIT.usage, message);
}

function refuseMixedOptions(names: readonly string[], options: Options): void {
  const modes = (["sync", "emit", "against", "record"] as const)
    .filter((mode) => options[mode] !== undefined).map((mode) => `--${mode}`);
  if (modes.length > 1) {
    throw usage(`Cannot do ${modes.join(" and ")} at once: run one after the other.`);
  }
  const [mode = "a comparison"] = modes;
  if (names.length > 0 && !options.emit) {
    throw usage(
      `Cannot limit ${mode} to ${names.join(", ")}: it is always of every kernel. Only --emit ` +
        "takes names.",
    );
  }
  if (options.engine !== undefined && modes.length > 0 && !options.sync) {
    throw usage(`Cannot use --engine with ${mode}, which asks no engine: leave it out.`);
  }
  if (options.allowDirty && !options.sync) {
    throw usage(
      "Cannot use --allow-dirty without --sync: a comparison takes the files as they are.",
    );
  }
  if (options.reason !== undefined && !options.record) {
    throw usage("Cannot use --reason without --record: nothing else keeps it.");
  }
}

function namedEngine({ engine, sync }: Options): Engine | undefined {
  if (engine !== undefined) return openEngine(engine, "--engine");
  const fromEnvironment = Deno.env.get("BANKML_DIR");
  if (fromEnvironment) return openEngine(fromEnvironment, "BANKML_DIR");
  if (!sync) return undefined;
  throw usage(
    "Cannot copy the engine's texts: no engine is named. Say --engine PATH, or set BANKML_DIR to " +
      "its checkout.",
  );
}

async function withEngine(
  repository: Repository,
  engine: Engine,
  compile: Compile,
  { sync, allowDirty }: Options,
): Promise<Outcome> {
  const { own, twins } = repository;
  const found = extractTexts(engine, twinNames(twins), await openParsers());
  if (found.files === 0) {
    throw usage(
      `Cannot compare with ${engine.folder}: there is no Rust, JavaScript, TypeScript or WGSL file ` +
        "in it. Name the top folder of the engine's checkout.",
    );
  }
  const findings = compareWithEngine(own, twins, found);
  if (!sync) return comparisonOutcome(engine, found, twins, findings);
  const changed = await synchronize(repository, engine, findings, {
    allowDirty: allowDirty ?? false,
    compile,
  });
  return syncOutcome(engine, changed, findings);
}

function record(repository: Repository, reason: string | undefined): Outcome {
  if (!reason?.trim()) {
    throw usage(
      "Cannot record texts without a reason: it is what a reviewer reads beside the change. Say " +
        'why: deno task texts --record --reason "…"',
    );
  }
  const changed = recordOwn(repository, reason);
  const line = changed.length === 0
    ? "Nothing to record: every text is the recorded one."
    : `Recorded ${changed.join(", ")} in kernels/twins.json.`;
  return { lines: [line], exitCode: EXIT.passed };
}
