/**
 * `samebits cases`: lists what a model's file has of few-bit tensors, and makes cases of their rows.
 *
 * @module
 */
import { Command } from "cli";
import type { CasesOptions } from "./model_cases.ts";
import { positive } from "./options.ts";

export function casesCommand(): Command {
  return new Command("cases")
    .description("List a model's Q1_0 and Q2_0 tensors, or make cases of their rows.")
    .requiredOption("--model <file>", "a GGUF file")
    .option("--tensor <name>", "make cases of this tensor's rows")
    .option("--rows <ranges>", "which rows, a case for each range: 0-63,128-191")
    .option("--cols <count>", "columns of activations", positive, 4)
    .option("--seed <number>", "what the activations are drawn from", positive, 1)
    .option("--reason <text>", "kept with each golden; default: file, tensor and rows")
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 a golden of the same case says otherwise, 2 wrong usage or a file " +
        "that\ncannot be read, 5 no such tensor.",
    )
    .action(async (options: CasesOptions) => {
      // The reader of model files is loaded only where it is needed.
      const { cases } = await import("./model_cases.ts");
      Deno.exitCode = await cases(options);
    });
}
