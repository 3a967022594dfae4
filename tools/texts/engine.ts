/**
 * The engine's checkout: its files, its commit, and whether it has uncommitted changes.
 *
 * @module
 */
import { join, resolve } from "node:path";
import { EXIT, Failure } from "../exit_codes.ts";
import { git, gitBytes, linesOf } from "./git.ts";

/** Where the engine's texts are read from. */
export interface EngineFiles {
  /** Every file, from the top of the checkout, with `/` between folders. */
  list(): string[];
  /** Undefined where there is no such file. */
  read(file: string): Uint8Array | undefined;
}

export interface Engine extends EngineFiles {
  readonly folder: string;
  /** Undefined where the folder is no checkout of git, or has no commit yet. */
  readonly commit: string | undefined;
  /** Changed and untracked files, as git status prints them. */
  changes(): string[];
}

/** Opens the folder that `--engine` or BANKML_DIR names; `said` is which of the two it was. */
export function openEngine(path: string, said: string): Engine {
  const folder = resolve(path);
  refuseWrongFolder(folder, said);
  const top = git(folder, "rev-parse", "--show-toplevel");
  if (!top.ok && !top.complaint.includes("not a git repository")) {
    throw new Failure(
      EXIT.usage,
      `Cannot read the engine's checkout ${folder}: git refuses. It says: ${top.complaint}`,
    );
  }
  const head = git(folder, "rev-parse", "--verify", "--quiet", "HEAD");
  return {
    folder,
    commit: head.ok ? linesOf(head.bytes, "\n")[0] : undefined,
    changes: () => linesOf(gitBytes(folder, "status", "--porcelain", "--", "."), "\n"),
    list: () => top.ok ? tracked(folder) : walked(folder),
    read: (file) => readFile(join(folder, file)),
  };
}

function refuseWrongFolder(folder: string, said: string): void {
  const remedy = "Name the top folder of the engine's checkout.";
  try {
    if (Deno.statSync(folder).isDirectory) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Failure(
      EXIT.usage,
      `Cannot read the engine that ${said} names: there is no ${folder}. ${remedy}`,
    );
  }
  throw new Failure(
    EXIT.usage,
    `Cannot read the engine that ${said} names: ${folder} is a file, not a folder. ${remedy}`,
  );
}

/** What git tracks and what it would: without what it ignores, which is built. */
function tracked(folder: string): string[] {
  const wanted = ["--cached", "--others", "--exclude-standard"];
  return [...new Set(linesOf(gitBytes(folder, "ls-files", "-z", ...wanted), "\0"))].sort();
}

// An exported tree has no git to tell what is built.
const BUILT = new Set([".git", "node_modules", "target"]);

function walked(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(join(folder, prefix))].flatMap(({ name, isDirectory }) => {
    if (!isDirectory) return [`${prefix}${name}`];
    return BUILT.has(name) ? [] : walked(folder, `${prefix}${name}/`);
  }).sort();
}

function readFile(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    const absent = [Deno.errors.NotFound, Deno.errors.IsADirectory, Deno.errors.NotADirectory];
    // A file that was deleted but not committed; a link to a folder or to nowhere.
    if (absent.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
