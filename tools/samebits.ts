/**
 * The command line: `samebits <command>`, one command a file under commands/.
 *
 * @module
 */
import { Command, CommanderError } from "cli";
import { AddressError } from "../cases/address.ts";
import { abCommand } from "./commands/ab.ts";
import { benchCommand } from "./commands/bench.ts";
import { casesCommand } from "./commands/cases.ts";
import { explainCommand } from "./commands/explain.ts";
import { gateCommand } from "./commands/gate.ts";
import { goldenCommand } from "./commands/golden.ts";
import { listCommand } from "./commands/list.ts";
import { mergeCommand } from "./commands/merge.ts";
import { mutantsCommand } from "./commands/mutants.ts";
import { profileCommand } from "./commands/profile.ts";
import { referenceCommand } from "./commands/reference.ts";
import { rooflineCommand } from "./commands/roofline.ts";
import { textsCommand } from "./commands/texts.ts";
import { EXIT, Failure } from "./exit_codes.ts";

/** Every command; each sets `Deno.exitCode` itself. A new one is added here. */
const COMMANDS = [
  gateCommand,
  mergeCommand,
  goldenCommand,
  referenceCommand,
  casesCommand,
  listCommand,
  profileCommand,
  mutantsCommand,
  explainCommand,
  textsCommand,
  benchCommand,
  abCommand,
  rooflineCommand,
];

function program(): Command {
  const samebits = new Command("samebits")
    .description("Runs GPU kernels against golden bits.")
    .exitOverride();
  for (const make of COMMANDS) samebits.addCommand(make().exitOverride());
  return samebits;
}

/** The exit code of what a command threw; a defect of our own keeps its stack. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.passed : EXIT.usage; // its message is printed already
  }
  if (error instanceof Failure) {
    console.error(error.message);
    return error.exitCode;
  }
  if (error instanceof AddressError) {
    console.error(error.message);
    return EXIT.usage;
  }
  throw error;
}

if (import.meta.main) {
  try {
    await program().parseAsync(Deno.args, { from: "user" });
  } catch (error) {
    Deno.exitCode = exitCodeOf(error);
  }
}
