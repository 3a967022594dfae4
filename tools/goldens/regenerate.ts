/**
 * Computing goldens anew, and what would change.
 *
 * @module
 */
import { allCases, type Case } from "../../cases/mod.ts";
import { REFERENCE } from "../../reference/version.ts";
import { countDifferences } from "../runner/compare.ts";
import { bytesOfWords, sha256 } from "./bits.ts";
import type { GoldenEntry } from "./manifest.ts";
import type { GoldenProblem, GoldenStore } from "./store.ts";

/** A golden as the reference makes it now. */
export interface FreshGolden {
  readonly subject: Case;
  readonly words: Uint32Array;
  /** The entry without its reason, which a person gives. */
  readonly entry: Omit<GoldenEntry, "reason">;
}

/** How a fresh golden differs from the stored one. */
export type Change =
  | { readonly kind: "new"; readonly fresh: FreshGolden }
  | { readonly kind: "damaged"; readonly fresh: FreshGolden; readonly message: string }
  | {
    readonly kind: "changed";
    readonly fresh: FreshGolden;
    /** What is not as it was. */
    readonly inputs: boolean;
    readonly reference: boolean;
    readonly changedWords: number;
    /** Absent where a NaN met a number, or the shape changed. */
    readonly largestUlp?: number;
  };

/** Computes a golden. */
export function regenerate(subject: Case): FreshGolden {
  const { family, parsed } = subject;
  const input = family.input(parsed);
  const words = family.reference(input);
  const { rows, cols } = family.grid(input);
  return {
    subject,
    words,
    entry: {
      rows,
      cols,
      words: words.length,
      inputs: sha256(...family.inputBytes(input)),
      bits: sha256(bytesOfWords(words)),
      generator: family.generatorVersion,
      reference: `${REFERENCE.name} ${REFERENCE.version}`,
    },
  };
}

/** What accepting the fresh golden would change, or `undefined` where nothing. */
export function changeOf(fresh: FreshGolden, store: GoldenStore): Change | undefined {
  const { subject, entry, words } = fresh;
  const stored = store.manifest(subject.family.name).get(subject.address);
  if (!stored) return { kind: "new", fresh };
  const found = store.read(subject);
  if (!(found instanceof Uint32Array)) return { kind: "damaged", fresh, message: found.message };
  const inputs = stored.inputs !== entry.inputs || stored.generator !== entry.generator;
  const bits = stored.bits !== entry.bits;
  const reference = stored.reference !== entry.reference || (bits && !inputs);
  if (!inputs && !reference && !bits) return undefined;
  return { kind: "changed", fresh, inputs, reference, ...wordChanges(found, words) };
}

function wordChanges(before: Uint32Array, after: Uint32Array) {
  if (before.length !== after.length) return { changedWords: after.length };
  const { differing, largestUlp } = countDifferences(before, after);
  return { changedWords: differing, ...(largestUlp !== undefined && { largestUlp }) };
}

/** Everything that keeps the stored goldens of these cases from being used, orphans first. */
export function goldenProblems(store: GoldenStore, cases: readonly Case[]): GoldenProblem[] {
  const everything = allCases();
  const orphans = [...new Set(everything.map(({ family }) => family.name))].flatMap((family) =>
    store.orphans(family, everything.filter((subject) => subject.family.name === family))
  );
  const unusable = cases.map((subject) => store.read(subject))
    .filter((found): found is GoldenProblem => !(found instanceof Uint32Array));
  return [...orphans, ...unusable];
}
