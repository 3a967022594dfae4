/**
 * Asking git about a folder.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

export interface GitAnswer {
  readonly ok: boolean;
  readonly bytes: Uint8Array;
  /** What git printed to say why not. */
  readonly complaint: string;
}

export function git(folder: string, ...args: string[]): GitAnswer {
  try {
    const command = new Deno.Command("git", { args: ["-C", folder, ...args] });
    const { success, stdout, stderr } = command.outputSync();
    return { ok: success, bytes: stdout, complaint: new TextDecoder().decode(stderr).trim() };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Failure(
      EXIT.usage,
      "Cannot ask git: there is no git on the PATH. It tells the engine's commit and its files; " +
        "install it (on Debian: apt-get install git).",
    );
  }
}

/** What git prints where it must know the answer. */
export function gitBytes(folder: string, ...args: string[]): Uint8Array {
  const { ok, bytes, complaint } = git(folder, ...args);
  if (ok) return bytes;
  throw new Failure(
    EXIT.usage,
    `Cannot ask git about ${folder} (git ${args.join(" ")}): it says: ${complaint}. Mend the ` +
      "repository, then run this again.",
  );
}

export function linesOf(bytes: Uint8Array, end: string): string[] {
  return new TextDecoder().decode(bytes).split(end).filter((line) => line !== "");
}
