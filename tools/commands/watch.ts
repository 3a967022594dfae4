/**
 * `samebits watch`: verdicts after every save.
 *
 * @module
 */
import { Command } from "cli";
import { fileURLToPath } from "node:url";
import { type AdapterWish, findAdapter } from "../adapters/choose.ts";
import { EXIT } from "../exit_codes.ts";
import { counted, shellWord } from "../report/numbers.ts";
import { adapterLines, failureReport, summaryLine } from "../report/text.ts";
import { failuresOf, type Result } from "../runner/verdict.ts";
import { VERSION } from "../version.ts";
import { ChangeFeed, type Changes } from "../watch/changes.ts";
import { WatchExecutor } from "../watch/executor.ts";
import { type Rerun, Watcher } from "../watch/watcher.ts";
import { withAdapterOptions } from "./adapter_options.ts";
import { list, positive } from "./options.ts";

interface Options extends AdapterWish {
  readonly kernel?: readonly string[];
  readonly limit: number;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Generators call the reference, and an accepted golden is a new one. */
const FOLDERS = ["kernels", "cases", "reference", "golden"];
const MATTERS = /^(?:kernels|cases|reference)\/.*\.(?:ts|wgsl)$|^golden\/[^/]+\/manifest\.json$/;
/** Failures shown in full. */
const SHOWN = 10;
const CLEAR_SCREEN = "\x1b[2J\x1b[3J\x1b[H";

export function watchCommand(): Command {
  const command = new Command("watch")
    .description("Run again what each save of a shader, recipe or case touches.")
    .argument("[addresses...]", "globs of case addresses; default: every case")
    .option("--kernel <glob>", "only kernels of this name (may be repeated)", list);
  return withAdapterOptions(command)
    .option("--limit <seconds>", "longest time for a batch of checks", positive, 5)
    .addHelpText("after", "\nIt ends with Ctrl-C, exit code 0. Nothing that is saved ends it.")
    .action(watch);
}

async function watch(globs: string[], options: Options): Promise<never> {
  let another: (() => WatchExecutor) | undefined;
  const { executor, ...found } = await findAdapter(options, (assignment, env) => {
    another = () => new WatchExecutor({ assignment, env, limit: options.limit });
    return another();
  });
  await executor.rules();
  const watcher = new Watcher(executor, {
    globs,
    kernels: options.kernel ?? [],
    another: () => another!(),
    begin: (changes) => {
      if (Deno.stdout.isTerminal()) write(CLEAR_SCREEN);
      print(
        changes
          ? [`saved    ${changes.files.join(", ")}`]
          : [`samebits ${VERSION}, Deno ${Deno.version.deno}`, ...adapterLines(found)],
      );
    },
    first: (result, changes) => {
      if (changes) print([firstLine(result, changes)]);
    },
    show: (rerun, changes) => print(rerunLines(rerun, changes, options)),
  });
  const feed = new ChangeFeed(ROOT, FOLDERS, (path) => MATTERS.test(path), (changes) => {
    watcher.changed(changes);
  });
  endOnSignal(() => {
    feed.close();
    watcher.close();
  });
  return await watcher.watch();
}

function endOnSignal(close: () => void): void {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      close();
      Deno.exit(EXIT.passed);
    });
  }
}

function firstLine({ check, verdict }: Result, { since }: Changes): string {
  return `first    ${verdict.kind} ${Math.round(performance.now() - since)} ms after the save: ` +
    `${check.kernel} ${check.address}`;
}

/** What a run came to: the failing checks first, as the gate shows them. */
function rerunLines(
  { kernels, results, problems, seconds }: Rerun,
  changes: Changes | undefined,
  options: Options,
): string[] {
  const { adapter, backend } = options;
  const reproduction = [
    ...adapter ? [`--adapter ${shellWord(adapter)}`] : [],
    ...backend ? [`--backend ${backend}`] : [],
  ];
  const since = changes && Math.round(performance.now() - changes.since);
  const touches = kernels.length > 0 ? `; it touches ${kernels.join(", ")}` : "";
  const nothing = problems.length > 0 ? [] : [`Nothing to run: no verdict rests on what changed.`];
  return [
    "",
    ...failureReport({ results, options: reproduction }, SHOWN),
    ...problems.slice(0, SHOWN).map((problem) => `PROBLEM  ${problem}`),
    ...problems.length > SHOWN ? [`… and ${counted(problems.length - SHOWN, "more problem")}`] : [],
    ...results.length > 0 ? [summaryLine({ results, planned: results.length, seconds })] : nothing,
    `${verdictText(results, problems)}${since === undefined ? "" : ` ${since} ms after the save`}` +
    `${changes ? touches : ""}. Watching; Ctrl-C ends it.`,
    "",
  ];
}

function verdictText(results: readonly Result[], problems: readonly string[]): string {
  const failed = failuresOf(results).length;
  if (failed > 0) return `FAILED: ${counted(failed, "check")}`;
  if (problems.length > 0) return `FAILED: ${counted(problems.length, "problem")}`;
  return results.length > 0 ? "PASSED" : "DONE";
}

function print(lines: readonly string[]): void {
  write(lines.map((line) => `${line}\n`).join(""));
}

function write(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
