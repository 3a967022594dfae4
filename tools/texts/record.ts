/**
 * Records this suite's own texts, while there is no engine that could have agreed with them.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { digest } from "./own.ts";
import type { Repository } from "./sync.ts";
import { type Twin, writeTwins } from "./twins.ts";

/** Returns the names of the kernels whose record changed. */
export function recordOwn({ root, own, twins }: Repository, reason: string): string[] {
  const kernels: Record<string, Twin> = { ...twins.kernels };
  const changed: string[] = [];
  for (const { name, text, file } of own) {
    // Until somebody says where it has twins, a new kernel has none.
    const twin = kernels[name] ?? { places: [], agreement: { commit: null, sha256: "" } };
    const sha256 = digest(text);
    if (sha256 === twin.agreement.sha256) continue;
    const { commit } = twin.agreement;
    if (commit !== null) {
      throw new Failure(
        EXIT.differs,
        `Cannot record ${file} by itself: ${name} agrees with the engine's commit ` +
          `${commit.slice(0, 12)}. Change the engine first, then: deno task texts --sync ` +
          "--engine PATH. Nothing was written.",
      );
    }
    kernels[name] = { places: twin.places, agreement: { commit: null, sha256, reason } };
    changed.push(name);
  }
  if (changed.length > 0) writeTwins(root, { ...twins, kernels });
  return changed;
}
