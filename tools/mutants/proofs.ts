/**
 * Why a mutant computes the same as the text it was made from: `golden/mutants/equivalent.json`.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

/** An argument, and the mutants that it is about. */
export interface Proof {
  readonly proof: string;
  /** The values are the same; a compiler that folds may still make a difference, on its adapter. */
  readonly folding?: true;
  /** Kernels whose texts share the place; each has a mutant of that name there. */
  readonly kernels: readonly string[];
  /** Ids without the kernel. */
  readonly mutants: readonly string[];
}

/** The proofs by mutant's id. @throws {Failure} where the file cannot be read or names one twice */
export function readProofs(file: URL): Map<string, Proof> {
  const found = new Map<string, Proof>();
  let proofs: readonly Proof[];
  try {
    proofs = JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    throw new Failure(
      EXIT.goldens,
      `Cannot read the proofs of equivalence ${file.pathname}: ${(error as Error).message}. ` +
        "Restore the file: git checkout -- golden/mutants",
    );
  }
  for (const one of proofs) {
    for (const id of one.kernels.flatMap((kernel) => one.mutants.map((m) => `${kernel}/${m}`))) {
      if (found.has(id)) {
        throw new Failure(EXIT.goldens, `Two proofs are about one mutant; keep one: ${id}`);
      }
      found.set(id, one);
    }
  }
  return found;
}
