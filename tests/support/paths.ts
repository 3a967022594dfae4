/**
 * Paths relative to this folder.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

export function fromFileUrl(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
