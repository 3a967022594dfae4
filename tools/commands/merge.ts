/**
 * `samebits merge`: joins the records of shards and adapters into one.
 *
 * @module
 */
import { Command } from "cli";
import { KERNELS } from "../../kernels/mod.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { durationsOf } from "../records/durations.ts";
import { writeDurations } from "../records/durations_file.ts";
import { readFolder } from "../records/folder.ts";
import { joinRecords } from "../records/merge.ts";
import { RecordFile } from "../records/record_file.ts";
import { matrixOf } from "../report/matrix.ts";
import { mergedLines } from "../report/merged_text.ts";
import { type MergedRecord, RECORD_FORMAT } from "../report/record.ts";
import { VERSION } from "../version.ts";
import { refuseInCi } from "./ci.ts";
import { list } from "./options.ts";
import { attempted, writeReports } from "./reports.ts";

interface Options {
  readonly expect?: readonly string[];
  readonly record?: string;
  readonly junit?: string;
  readonly acceptDurations?: true;
}

export function mergeCommand(): Command {
  return new Command("merge")
    .description("Join the records of shards and adapters: kernel × adapter, or what is missing.")
    .argument("<folder>", "holds what gate --record wrote, and bench --record for the times")
    .option(
      "--expect <adapter>",
      "'hardware' or a text in an adapter's name that must have reported (may be repeated)",
      list,
    )
    .option("--record <file>", "write the merged record; compressed where it ends in .gz")
    .option("--junit <file>", "write JUnit XML")
    .option("--accept-durations", "keep what checks took: gate --shard cuts by it from now on")
    .addHelpText(
      "after",
      "\nExit codes: 0 every adapter's plan is there and passed, 1 a check failed, or the records " +
        "are\nnot one whole proof, 2 wrong usage, 3 only an expected adapter is missing, 5 no " +
        "records.",
    )
    .action(async (folder: string, options: Options) => {
      Deno.exitCode = await merge(folder, options);
    });
}

async function merge(folder: string, options: Options): Promise<ExitCode> {
  const { expect: expected = [], record: file, acceptDurations } = options;
  if (acceptDurations) refuseInCi("durations");
  if (expected.some((text) => text.trim() === "")) {
    throw new Failure(
      EXIT.usage,
      "Cannot expect nothing: --expect is empty. Give it 'hardware' or a text in an adapter's " +
        "name; in a script, see that its variable is set.",
    );
  }
  const { sources, benches, unusable } = await readFolder(folder, file);
  if (sources.length + unusable.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `Nothing to merge: ${folder} holds no record (.json or .json.gz). Run deno task gate ` +
        "--record FILE on each adapter, and put the files there.",
    );
  }
  const { runs, problems, exitCode } = joinRecords(sources, unusable, expected);
  const record: MergedRecord = {
    format: RECORD_FORMAT,
    kind: "merged",
    samebits: VERSION,
    merged: new Date().toISOString(),
    expected,
    runs,
    problems,
    exitCode,
  };
  const matrix = matrixOf(runs, benches);
  for (const line of mergedLines(record, matrix)) console.log(line);
  const isWritten = await attempted(async () => {
    if (file !== undefined) new RecordFile(file).write(record);
    await writeReports(record, KERNELS, options, matrix);
    if (acceptDurations) keepDurations(record);
  });
  return isWritten || exitCode !== EXIT.passed ? exitCode : EXIT.usage;
}

function keepDurations({ runs, exitCode }: MergedRecord): void {
  if (exitCode !== EXIT.passed) {
    throw new Failure(EXIT.usage, "Kept no durations: only whole runs that passed are kept.");
  }
  writeDurations(durationsOf(runs));
}
