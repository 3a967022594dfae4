/**
 * Files and folders that may not be there.
 *
 * @module
 */

export function readOrUndefined(file: URL): Uint8Array | undefined {
  return unlessMissing(() => Deno.readFileSync(file));
}

/** The folder's entries; none where it is missing. */
export function namesIn(folder: URL): Deno.DirEntry[] {
  return unlessMissing(() => [...Deno.readDirSync(folder)]) ?? [];
}

export function exists(path: URL): boolean {
  return unlessMissing(() => Deno.lstatSync(path)) !== undefined;
}

export function removeFolder(folder: URL): void {
  unlessMissing(() => Deno.removeSync(folder, { recursive: true }));
}

function unlessMissing<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
