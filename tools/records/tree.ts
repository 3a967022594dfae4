/**
 * Which commit a run tests.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { Failure } from "../exit_codes.ts";
import type { TestedTree } from "../report/record.ts";
import { git } from "../texts/git.ts";
import { sha256Hex } from "../timing/sha256.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The commit of this checkout, with a digest of what was changed since. New files are no change:
 * sources count only where a known file imports them, goldens have a digest of their own, and
 * reports may lie about. `undefined` where git does not know the tree.
 */
export async function testedTree(root: string = ROOT): Promise<TestedTree | undefined> {
  try {
    const head = git(root, "rev-parse", "HEAD");
    const diff = git(root, "diff", "HEAD", "--binary", "--no-ext-diff", "--no-color");
    if (!head.ok || !diff.ok) return undefined;
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const commit = text(head.bytes).trim();
    return diff.bytes.length === 0
      ? { commit }
      : { commit, changes: await sha256Hex(text(diff.bytes)) };
  } catch (error) {
    if (error instanceof Failure) return undefined; // no git here
    throw error;
  }
}
