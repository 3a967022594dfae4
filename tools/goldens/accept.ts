/**
 * Writing goldens: the whole folder of a family is made anew beside the old one and takes its place
 * by renaming, so that a crash or a full disk leaves the old set whole.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { exists, removeFolder } from "./files.ts";
import type { FreshGolden } from "./fresh.ts";
import { formatManifest } from "./manifest.ts";
import { fileName, type GoldenStore } from "./store.ts";

export interface Acceptance {
  /** Goldens to store, in place of what there is. */
  readonly fresh: readonly FreshGolden[];
  /** Goldens to remove, by address. */
  readonly removed: ReadonlySet<string>;
  /** Why, for the entries of the fresh ones. */
  readonly reason: string;
}

/** What can fail on the way. */
export type Disk = Pick<typeof Deno, "writeFileSync" | "copyFileSync" | "renameSync">;

/**
 * Stores and removes goldens of one family; all others stay as they are.
 *
 * @throws {Failure} where the disk does not let it; then the old goldens are all there
 */
export function acceptGoldens(
  store: GoldenStore,
  family: string,
  acceptance: Acceptance,
  disk: Disk = Deno,
): void {
  const folder = new URL(`${family}/`, store.folder);
  const next = new URL(`.${family}.new/`, store.folder);
  const previous = new URL(`.${family}.old/`, store.folder);
  try {
    finishInterrupted(folder, previous, disk);
    removeFolder(next);
    writeAll(store, family, acceptance, next, disk);
    exchange(folder, next, previous, disk);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Failure) throw error;
    removeFolder(next);
    throw new Failure(
      EXIT.differs,
      `Cannot store goldens in ${folder.pathname}: ${error.message}. Nothing was changed. Make ` +
        "room or get permission to write there, then accept again.",
    );
  }
  removeFolder(previous);
}

/** Writes the whole new set: what is fresh, and copies of what stays. */
function writeAll(
  store: GoldenStore,
  family: string,
  { fresh, removed, reason }: Acceptance,
  next: URL,
  disk: Disk,
): void {
  const manifest = new Map(store.manifest(family));
  for (const address of removed) manifest.delete(address);
  for (const { subject, entry } of fresh) manifest.set(subject.address, { ...entry, reason });

  const freshFiles = new Map<string, Uint8Array>();
  for (const { subject: { address }, file, input } of fresh) {
    freshFiles.set(fileName(address, "bits"), file);
    if (input) freshFiles.set(fileName(address, "input"), input);
  }
  const folder = store.familyFolder(family);
  for (const address of manifest.keys()) {
    for (const name of [fileName(address, "bits"), fileName(address, "input")]) {
      const [source, target] = [new URL(name, folder), new URL(name, next)];
      Deno.mkdirSync(new URL(".", target), { recursive: true });
      const bytes = freshFiles.get(name);
      if (bytes) disk.writeFileSync(target, bytes);
      else if (exists(source)) disk.copyFileSync(source, target);
    }
  }
  Deno.mkdirSync(next, { recursive: true });
  const text = new TextEncoder().encode(formatManifest(manifest));
  disk.writeFileSync(new URL("manifest.json", next), text);
}

/** An earlier exchange may have ended between its two renames, or before the old set was removed. */
function finishInterrupted(folder: URL, previous: URL, disk: Disk): void {
  if (!exists(previous)) return;
  if (exists(folder)) removeFolder(previous);
  else disk.renameSync(previous, folder);
}

function exchange(folder: URL, next: URL, previous: URL, disk: Disk): void {
  const replaces = exists(folder);
  if (replaces) disk.renameSync(folder, previous);
  try {
    disk.renameSync(next, folder);
  } catch (error) {
    if (replaces) disk.renameSync(previous, folder);
    throw error;
  }
}
