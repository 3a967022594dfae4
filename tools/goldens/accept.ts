/**
 * Writing goldens: the whole folder of a family is made anew beside the old one and takes its place
 * by renaming, so that a crash or a full disk leaves the old set whole.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { bytesOfWords } from "./bits.ts";
import { formatManifest, type GoldenEntry, type Manifest } from "./manifest.ts";
import type { FreshGolden } from "./regenerate.ts";
import type { GoldenStore } from "./store.ts";

export interface Acceptance {
  /** Goldens to store, in place of what there is. */
  readonly fresh: readonly FreshGolden[];
  /** Goldens to remove, by address. */
  readonly removed: ReadonlySet<string>;
  /** Why, for the entries of the fresh ones. */
  readonly reason: string;
}

/** Stores and removes goldens of one family; all others stay as they are. */
export function acceptGoldens(
  store: GoldenStore,
  family: string,
  cases: readonly Case[],
  { fresh, removed, reason }: Acceptance,
): void {
  const folder = new URL(`${family}/`, store.folder);
  const next = new URL(`.${family}.new/`, store.folder);
  const previous = new URL(`.${family}.old/`, store.folder);
  restoreInterrupted(folder, previous);
  removeFolder(next);

  const manifest = new Map<string, GoldenEntry>(store.manifest(family));
  for (const address of removed) manifest.delete(address);
  for (const { subject, entry } of fresh) manifest.set(subject.address, { ...entry, reason });

  const nextStore = new URL(`.${family}.new/`, store.folder);
  const replaced = new Map(fresh.map(({ subject, words }) => [subject.address, words]));
  for (const subject of cases.filter(({ address }) => manifest.has(address))) {
    const source = store.fileOf(subject);
    const target = new URL(source.href.slice(folder.href.length), nextStore);
    Deno.mkdirSync(new URL(".", target), { recursive: true });
    const words = replaced.get(subject.address);
    if (words) Deno.writeFileSync(target, bytesOfWords(words));
    else copyIfThere(source, target);
  }
  writeManifest(next, manifest);
  exchange(folder, next, previous);
}

/** An earlier exchange may have ended between its two renames. */
export function restoreInterrupted(folder: URL, previous: URL): void {
  if (!exists(previous)) return;
  if (exists(folder)) removeFolder(previous);
  else Deno.renameSync(previous, folder);
}

function exchange(folder: URL, next: URL, previous: URL): void {
  if (exists(folder)) Deno.renameSync(folder, previous);
  Deno.renameSync(next, folder);
  removeFolder(previous);
}

function writeManifest(folder: URL, manifest: Manifest): void {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(new URL("manifest.json", folder), formatManifest(manifest));
}

function copyIfThere(source: URL, target: URL): void {
  if (exists(source)) Deno.copyFileSync(source, target);
}

function removeFolder(folder: URL): void {
  if (exists(folder)) Deno.removeSync(folder, { recursive: true });
}

function exists(path: URL): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
