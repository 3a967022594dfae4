/**
 * What became of every mutant on one adapter, as it is kept in `golden/mutants/`.
 *
 * @module
 */
import type { Mutant } from "./mutant.ts";
import type { Fate } from "./trial.ts";

/** Grows when a reader of older records would misread a new one. */
export const MUTANTS_FORMAT = 1;

/** A mutant's fate, its killing cases as places in {@linkcode MutantsRecord.cases}. */
export interface StoredFate {
  readonly fate: "differs" | "breaks" | "survives" | "stillborn";
  /** Ascending by cost: the first is the smallest case that kills it. */
  readonly by?: readonly number[];
}

export interface MutantsRecord {
  readonly format: typeof MUTANTS_FORMAT;
  /** The adapter's name for a person, and its key. */
  readonly adapter: string;
  readonly key: string;
  readonly workgroup: number;
  /** Addresses of cases that killed something. */
  readonly cases: readonly string[];
  /** By id. */
  readonly mutants: Readonly<Record<string, StoredFate>>;
}

/** Mutants with their fates, in the order of the texts. */
export type Tried = readonly { readonly mutant: Mutant; readonly fate: Fate }[];

export function recordOf(
  head: Pick<MutantsRecord, "adapter" | "key" | "workgroup">,
  tried: Tried,
): MutantsRecord {
  const killers = ({ fate }: Tried[number]) => "by" in fate ? fate.by : [];
  const cases = [...new Set(tried.flatMap(killers))].sort();
  const placeOf = new Map(cases.map((address, i) => [address, i]));
  return {
    format: MUTANTS_FORMAT,
    ...head,
    cases,
    mutants: Object.fromEntries(tried.map((one) => [one.mutant.id, {
      fate: one.fate.kind,
      ...("by" in one.fate && { by: one.fate.by.map((address) => placeOf.get(address)!) }),
    }])),
  };
}

/** One mutant a line, so that a change is seen in a diff. */
export function recordText({ mutants, ...head }: MutantsRecord): string {
  const lines = Object.entries(mutants).map(([id, fate]) =>
    `  ${JSON.stringify(id)}: ${JSON.stringify(fate)}`
  );
  const top = JSON.stringify(head, undefined, 1).slice(0, -2);
  return `${top},\n "mutants": {\n${lines.join(",\n")}\n }\n}\n`;
}

/** Was it noticed? */
export function isKilled(fate: StoredFate | undefined): boolean {
  return fate?.fate === "differs" || fate?.fate === "breaks";
}
