/**
 * `samebits reference`: holds the engine's own reference against ours, and stores nothing.
 *
 * @module
 */
import { Command } from "cli";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { ENGINE_FAMILY } from "../goldens/engine/reference.ts";
import { readEngine, setupOf, wantedOf } from "../goldens/modules.ts";
import { GoldenStore } from "../goldens/store.ts";
import { make } from "./make.ts";
import { folderUrl } from "./paths.ts";
import { selectCases } from "./selection.ts";

interface Options {
  readonly wasm: string;
  readonly golden?: string;
}

export function referenceCommand(): Command {
  return new Command("reference")
    .description("Hold the engine's WebAssembly reference against ours; nothing is written.")
    .argument("[addresses...]", `globs of case addresses; default: every case of ${ENGINE_FAMILY}`)
    .requiredOption("--wasm <file>", "the engine's browseml.wasm")
    .option("--golden <folder>", "the folder of stored inputs; default: the project's own goldens")
    .addHelpText(
      "after",
      "\nExit codes: 0 they agree on every word, 1 they differ, or the module does not come to an " +
        "end,\n2 wrong usage or no such module, 5 nothing matches.",
    )
    .action(async (globs: string[], options: Options) => {
      Deno.exitCode = await reference(globs, options);
    });
}

async function reference(globs: string[], { wasm, golden }: Options): Promise<ExitCode> {
  const setup = setupOf(readEngine(wasm));
  const store = new GoldenStore(golden ? folderUrl(golden) : undefined);
  const cases = selectCases(globs, store.cases())
    .filter(({ family }) => family.name === ENGINE_FAMILY);
  if (cases.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `Nothing to compare: the engine's module computes ${ENGINE_FAMILY}, and no case of it matches.`,
    );
  }
  const { speed } = await make(cases.map((subject) => wantedOf(store, subject)), setup);
  console.log(`${wasm} and our reference agree on every word of ${cases.length} cases.`);
  console.log(speed);
  return EXIT.passed;
}
