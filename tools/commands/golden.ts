/**
 * `samebits golden`: compares the stored goldens with what the reference makes now, and stores what
 * it makes when told so.
 *
 * @module
 */
import { Command } from "cli";
import { allCases, type Case } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { acceptGoldens } from "../goldens/accept.ts";
import { type Change, changeOf, regenerate } from "../goldens/regenerate.ts";
import { type GoldenProblem, GoldenStore } from "../goldens/store.ts";
import { folderUrl } from "./paths.ts";
import { selectCases } from "./selection.ts";

interface Options {
  readonly accept?: true;
  readonly reason?: string;
  readonly golden?: string;
}

export function goldenCommand(): Command {
  return new Command("golden")
    .description(
      "Compare the goldens with the reference; --accept stores what the reference makes.",
    )
    .argument("[addresses...]", "globs; default: every case")
    .option("--accept", "store the differences")
    .option("--reason <text>", "why they change; kept with each golden")
    .option("--golden <folder>", "the folder of goldens; default: the project's own")
    .action((globs: string[], options: Options) => {
      Deno.exitCode = golden(globs, options);
    });
}

function golden(globs: string[], options: Options): number {
  refuseCarelessAccept(options);
  const store = new GoldenStore(options.golden ? folderUrl(options.golden) : undefined);
  const selected = selectCases(globs);
  let unaccepted = 0;
  for (const family of new Set(selected.map((subject) => subject.family))) {
    const cases = allCases().filter((subject) => subject.family === family);
    const changes = selected
      .filter((subject) => subject.family === family)
      .map((subject) => changeOf(regenerate(subject), store))
      .filter((change) => change !== undefined);
    const orphans = globs.length === 0 ? store.orphans(family.name, cases) : [];
    print(family.name, changes, orphans);
    if (options.accept) accept(store, family.name, cases, changes, orphans, options.reason!);
    else unaccepted += changes.length + orphans.length;
  }
  if (unaccepted === 0) return EXIT.passed;
  console.log(
    "\nNothing was written. If these changes are right: deno task golden --accept " +
      '--reason "…"',
  );
  return EXIT.differs;
}

function refuseCarelessAccept({ accept, reason }: Options): void {
  if (!accept) return;
  if (!reason?.trim()) {
    throw new Failure(
      EXIT.usage,
      "Cannot accept goldens without a reason: it is what a reviewer reads beside the change. " +
        'Say why: deno task golden --accept --reason "…"',
    );
  }
  if (Deno.env.get("CI")) {
    throw new Failure(
      EXIT.usage,
      "Cannot accept goldens in CI (the variable CI is set): nobody would have looked at them. " +
        "Accept them on a desk, and commit them.",
    );
  }
}

function accept(
  store: GoldenStore,
  family: string,
  cases: readonly Case[],
  changes: readonly Change[],
  orphans: readonly GoldenProblem[],
  reason: string,
): void {
  if (changes.length + orphans.length === 0) return;
  acceptGoldens(store, family, cases, {
    fresh: changes.map(({ fresh }) => fresh),
    removed: new Set(orphans.map(({ address }) => address)),
    reason,
  });
  console.log(`Stored ${changes.length}, removed ${orphans.length}. Review with: git diff --stat`);
}

function print(
  family: string,
  changes: readonly Change[],
  orphans: readonly GoldenProblem[],
): void {
  const count = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).length;
  console.log(
    `${family}: ${count("new")} new, ${count("changed")} changed, ${orphans.length} orphaned, ` +
      `${count("damaged")} damaged`,
  );
  for (const change of changes) console.log(`  ${describe(change)}`);
  for (const { message } of orphans) console.log(`  orphaned  ${message}`);
}

function describe(change: Change): string {
  const { address } = change.fresh.subject;
  if (change.kind === "new") return `new       ${address}`;
  if (change.kind === "damaged") return `damaged   ${change.message}`;
  const { inputs, reference, changedWords, largestUlp, fresh } = change;
  const causes = [...inputs ? ["inputs"] : [], ...reference ? ["reference"] : []].join(" and ");
  const distance = largestUlp === undefined ? "" : `, by up to ${largestUlp} ulp`;
  return `changed   ${address}: ${causes} changed; ${changedWords} of ${fresh.words.length} words ` +
    `differ${distance}`;
}
