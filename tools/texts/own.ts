/**
 * This suite's own texts, byte for byte from their files.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Kernel } from "../../kernels/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { sha256 } from "../goldens/bits.ts";
import { decodeFile } from "./decode.ts";

/** A kernel's text, and what is said about it. */
export type OwnText = Pick<Kernel, "name" | "family" | "file" | "text">;

/** The top of this repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The texts as their files hold them now: an import has dropped a byte order mark and replaced what
 * is not UTF-8.
 */
export function readOwnTexts(root: string, kernels: readonly OwnText[]): OwnText[] {
  return kernels.map(({ name, family, file }) => {
    const decoded = decodeFile(Deno.readFileSync(join(root, file)));
    if ("bad" in decoded) {
      throw new Failure(
        EXIT.differs,
        `Cannot compare ${name}: ${decoded.bad} of ${file}. Save it as UTF-8, or take it back ` +
          `with: git checkout ${file}`,
      );
    }
    return { name, family, file, text: decoded.text };
  });
}

export function digest(text: string): string {
  return sha256(new TextEncoder().encode(text));
}
