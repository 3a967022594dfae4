/**
 * `samebits report`: one page of what runs, benches and rooflines left.
 *
 * @module
 */
import { Command } from "cli";
import { EXIT } from "../exit_codes.ts";
import { baselinesFor, readPageFiles, writePage } from "./page_files.ts";
import { folderUrl } from "./paths.ts";

interface Options {
  readonly out: string;
  readonly baselines?: string;
}

export function reportCommand(): Command {
  return new Command("report")
    .description("Make one HTML page of records: it needs no network, and no samebits.")
    .argument(
      "<files...>",
      "what gate --record, merge --record, bench --record, roofline --record and gate --evidence " +
        "wrote, or folders of it",
    )
    .option("--out <folder>", "where index.html is written", "report")
    .option("--baselines <folder>", "the baselines; default: the project's own")
    .addHelpText(
      "after",
      "\nExit codes: 0 written, 2 wrong usage, 4 a damaged baseline, 5 no record.",
    )
    .action(async (files: string[], options: Options) => {
      const read = await readPageFiles(files);
      const folder = options.baselines ? folderUrl(options.baselines) : undefined;
      const baselines = await baselinesFor(read.records, read.benches, folder);
      console.log(`Wrote ${await writePage({ ...read, baselines }, options.out)}`);
      Deno.exitCode = EXIT.passed;
    });
}
