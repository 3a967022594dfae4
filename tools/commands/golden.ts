/**
 * `samebits golden`: compares the stored goldens with what the reference makes now, and stores what
 * it makes when told so.
 *
 * @module
 */
import { Command } from "cli";
import { FAMILIES } from "../../cases/mod.ts";
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { acceptGoldens } from "../goldens/accept.ts";
import { changeOf } from "../goldens/changes.ts";
import { changeLines } from "../goldens/describe.ts";
import { readEngine, setupOf, wantedOf } from "../goldens/modules.ts";
import type { EngineModule } from "../goldens/pool.ts";
import { GoldenStore, isProblem } from "../goldens/store.ts";
import { refuseInCi } from "./ci.ts";
import { make } from "./make.ts";
import { folderUrl } from "./paths.ts";
import { selectByAddress } from "./selection.ts";

interface Options {
  readonly accept?: true;
  readonly reason?: string;
  readonly reference?: string;
  readonly golden?: string;
}

export function goldenCommand(): Command {
  return new Command("golden")
    .description("Compare the goldens with the reference; --accept stores what it makes.")
    .argument("[addresses...]", "globs of case addresses; default: every case, and orphans")
    .option("--accept", "store the differences")
    .option("--reason <text>", "why they change; kept with each golden")
    .option("--reference <wasm:file>", "compute with the engine's module too; both must agree")
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .addHelpText(
      "after",
      "\nExit codes: 0 nothing would change, or it was stored, 1 something would change, or two " +
        "references\ndiffer, 2 wrong usage, 4 goldens that cannot be read, 5 nothing matches.",
    )
    .action(async (globs: string[], options: Options) => {
      Deno.exitCode = await golden(globs, options);
    });
}

async function golden(globs: string[], options: Options): Promise<ExitCode> {
  refuseCarelessAccept(options);
  const setup = setupOf(options.reference === undefined ? undefined : engineOf(options.reference));
  const store = new GoldenStore(options.golden ? folderUrl(options.golden) : undefined);
  const all = [...store.cases(), ...FAMILIES.flatMap(({ name }) => store.orphans(name))];
  const selected = selectByAddress(globs, all);
  const cases = selected.filter((one) => "parsed" in one);
  const orphans = selected.filter((one) => "kind" in one);
  // Without its input a golden cannot be made anew; it is told, and the others go on.
  const unreadable = cases.map((subject) => store.readInput(subject)).filter(isProblem);
  const wanted = cases
    .filter(({ address }) => !unreadable.some((problem) => problem.address === address))
    .map((subject) => wantedOf(store, subject));
  const { goldens, speed } = await make(wanted, setup);

  let unaccepted = 0;
  for (const { name } of FAMILIES) {
    const isOfFamily = ({ address }: { address: string }) => address.startsWith(`${name}/`);
    const changes = goldens.filter(({ subject }) => isOfFamily(subject))
      .map((fresh) => changeOf(fresh, store))
      .filter((change) => change !== undefined);
    const removed = orphans.filter(isOfFamily);
    const problems = [...removed, ...unreadable.filter(isOfFamily)];
    console.log(changeLines(name, changes, problems).join("\n"));
    const count = changes.length + removed.length;
    if (count === 0) continue;
    if (!options.accept) {
      unaccepted += count;
      continue;
    }
    acceptGoldens(store, name, {
      fresh: changes.map(({ fresh }) => fresh),
      removed: new Set(removed.map(({ address }) => address)),
      reason: options.reason!,
    });
    console.log(`  stored ${changes.length}, removed ${removed.length}; look at: git diff`);
  }
  console.log(speed);
  if (unaccepted > 0) {
    console.log(
      "\nNothing was written. If these changes are right: deno task golden --accept " +
        '--reason "…"',
    );
  }
  if (unreadable.length > 0) return EXIT.goldens;
  return unaccepted > 0 ? EXIT.differs : EXIT.passed;
}

function refuseCarelessAccept({ accept, reason }: Options): void {
  if (!accept && reason === undefined) return;
  if (!accept) {
    throw new Failure(
      EXIT.usage,
      "Cannot use --reason without --accept: a comparison stores nothing. Add --accept, or leave " +
        "it out.",
    );
  }
  if (!reason?.trim()) {
    throw new Failure(
      EXIT.usage,
      "Cannot accept goldens without a reason: it is what a reviewer reads beside the change. " +
        'Say why: deno task golden --accept --reason "…"',
    );
  }
  refuseInCi();
}

function engineOf(reference: string): EngineModule {
  const path = /^wasm:(.+)$/.exec(reference)?.[1];
  if (path) return readEngine(path);
  throw new Failure(
    EXIT.usage,
    `Cannot use --reference ${reference}: it must be wasm: and the file of the engine's module, ` +
      "for instance --reference wasm:browseml.wasm. Ours is always asked.",
  );
}
