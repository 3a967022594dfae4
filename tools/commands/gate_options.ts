/**
 * The command line of `samebits gate`.
 *
 * @module
 */
import { Command } from "cli";
import type { AdapterWish } from "../adapters/choose.ts";
import type { ExitCode } from "../exit_codes.ts";
import { withAdapterOptions } from "./adapter_options.ts";
import { list, positive, positiveList, seconds, shard } from "./options.ts";

/** What the command line says. */
export interface GateOptions extends AdapterWish {
  readonly kernel?: readonly string[];
  readonly workgroup?: readonly number[];
  readonly repeat: number;
  readonly limit: number;
  readonly failFast?: true;
  readonly full?: true;
  readonly text?: readonly string[];
  readonly golden?: string;
  readonly record?: string;
  readonly junit?: string;
  readonly report?: string;
  readonly evidence?: string;
  readonly second?: string;
  readonly budget?: number;
  readonly shard?: { readonly index: number; readonly of: number };
  readonly durations?: string;
  readonly mayBeEmpty?: true;
}

/** @param gate runs it, and gives the exit code */
export function gateCommandOf(
  gate: (globs: string[], options: GateOptions) => Promise<ExitCode>,
): Command {
  const command = new Command("gate")
    .description("Run kernels on cases, and hold every output against its golden bits.")
    .argument("[addresses...]", "globs of case addresses; default: every case")
    .option("--kernel <glob>", "only kernels of this name (may be repeated)", list);
  return withAdapterOptions(command)
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
    .option("--shard <part>", "2/5: the second of five parts that take about as long", shard)
    .option("--durations <file>", "with --shard: cut by what checks took in this record")
    .option("--may-be-empty", "with --shard: no error where there are fewer checks than parts")
    .option("--record <file>", "write the record of the run; compressed where it ends in .gz")
    .option("--junit <file>", "write JUnit XML")
    .option("--report <folder>", "write a page of the run, index.html")
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
    .action(async (globs: string[], options: GateOptions) => {
      Deno.exitCode = await gate(globs, options);
    });
}
