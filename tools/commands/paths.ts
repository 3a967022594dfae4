/**
 * Paths from the command line.
 *
 * @module
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A folder as a URL that names can be resolved against. */
export function folderUrl(path: string): URL {
  return pathToFileURL(`${resolve(path)}/`);
}
