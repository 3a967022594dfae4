/**
 * What accepting a fresh golden would change.
 *
 * @module
 */
import { countDifferences } from "../runner/compare.ts";
import { changedStrips, stripCount } from "../runner/strips.ts";
import { wordsOfBytes } from "./bits.ts";
import type { FreshGolden } from "./fresh.ts";
import { type Golden, type GoldenStore, isProblem } from "./store.ts";

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
    readonly amount: Amount;
  };

/** How much of a golden is not as it was. */
export interface Amount {
  readonly of: "words" | "strips";
  readonly changed: number;
  readonly all: number;
  /** Absent where a NaN met a number, the shape changed, or only digests are known. */
  readonly largestUlp?: number;
}

/** What accepting the fresh golden would change, or `undefined` where nothing. */
export function changeOf(fresh: FreshGolden, store: GoldenStore): Change | undefined {
  const { subject, entry } = fresh;
  const stored = store.manifest(subject.family.name).get(subject.address);
  if (!stored) return { kind: "new", fresh };
  const found = store.read(subject);
  if (isProblem(found)) return { kind: "damaged", fresh, message: found.message };
  const inputs = stored.inputs !== entry.inputs || stored.generator !== entry.generator;
  const shape = (["rows", "cols", "words", "strip"] as const)
    .some((name) => stored[name] !== entry[name]);
  const bits = stored.bits !== entry.bits || shape;
  // Other bits from other inputs say nothing of the reference; its sources do.
  const reference = stored.reference !== entry.reference ||
    (bits && (!inputs || stored.module !== entry.module));
  if (!inputs && !reference && !bits) return undefined;
  return { kind: "changed", fresh, inputs, reference, amount: amountOf(found, fresh) };
}

function amountOf(before: Golden, { subject, entry, file }: FreshGolden): Amount {
  if (before instanceof Uint32Array && entry.strip === undefined) {
    const after = wordsOfBytes(file);
    if (before.length === after.length) {
      // Values and bounds are stored as halves of f64 and more: no distance can be told of those.
      const isBounded = subject.family.contract === "bounded";
      const kind = isBounded ? "u32" : subject.family.words;
      const { differing, largestUlp } = countDifferences({ expected: before, kind }, after);
      return {
        of: "words",
        changed: differing,
        all: after.length,
        ...(largestUlp !== undefined && !isBounded && { largestUlp }),
      };
    }
  }
  if (!(before instanceof Uint32Array) && before.stripRows === entry.strip) {
    const after = { stripRows: entry.strip, digests: file };
    if (stripCount(before) === stripCount(after)) {
      return {
        of: "strips",
        changed: changedStrips(before, after).length,
        all: stripCount(after),
      };
    }
  }
  return { of: "words", changed: entry.words, all: entry.words };
}
