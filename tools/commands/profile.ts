/**
 * `samebits profile`: what arithmetic an adapter keeps, held against what was known of it.
 *
 * @module
 */
import { Command } from "cli";
import { type AdapterWish, chooseAdapter } from "../adapters/choose.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER } from "../goldens/store.ts";
import type { Profile } from "../profile/profile.ts";
import { QUESTIONS } from "../profile/questions.ts";
import { PROFILE_FOLDER, profileFile, profileText } from "../profile/store.ts";
import { recognitionLines, rulesTable } from "../report/profile.ts";
import { adapterLines } from "../report/text.ts";
import { withAdapterOptions } from "./adapter_options.ts";
import { positive } from "./options.ts";
import { profileAdapter } from "./profiling.ts";

interface Options extends AdapterWish {
  readonly limit: number;
  readonly accept?: true;
  readonly out?: string;
}

export function profileCommand(): Command {
  const command = new Command("profile")
    .description("Ask an adapter what arithmetic it keeps, and compare with what was known of it.");
  return withAdapterOptions(command)
    .option("--limit <seconds>", "longest time for all probes", positive, 30)
    .option("--accept", "keep the profile among the known ones, in golden/profiles")
    .option("--out <file>", "write the profile to a file")
    .addHelpText(
      "after",
      "\nExit codes: 0 the profile is a known one or was accepted, 1 a known adapter's profile " +
        "changed, or the\nprobes could not be run, 2 wrong usage, 3 no adapter or not the required " +
        "one, 4 the adapter is not known.",
    )
    .action(async (options: Options) => {
      Deno.exitCode = await profile(options);
    });
}

async function profile(options: Options): Promise<ExitCode> {
  const work = { goldenFolder: GOLDEN_FOLDER.href, repeats: 1, texts: [] };
  const chosen = await chooseAdapter(options, work, options.limit);
  let recognized;
  try {
    recognized = await profileAdapter(chosen);
  } finally {
    chosen.executor.close();
  }
  if (typeof recognized === "string") {
    throw new Failure(EXIT.differs, `Cannot measure the adapter's profile: ${recognized}`);
  }
  const { profile, known } = recognized;
  for (const line of adapterLines(chosen)) console.log(line);
  for (const line of recognitionLines(profile, known)) console.log(line);
  console.log();
  for (const line of rulesTable(profile, QUESTIONS)) console.log(line);
  if (options.out) write(options.out, profile);
  if (options.accept && known.kind !== "same") {
    Deno.mkdirSync(PROFILE_FOLDER, { recursive: true });
    const file = profileFile(profile);
    write(file.pathname, profile);
    console.log(`\nKept in ${file.pathname}`);
  }
  if (options.accept || known.kind === "same") return EXIT.passed;
  return known.kind === "changed" ? EXIT.differs : EXIT.goldens;
}

function write(file: string, profile: Profile): void {
  try {
    Deno.writeTextFileSync(file, profileText(profile));
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot write profile ${file}: ${(error as Error).message}`);
  }
}
