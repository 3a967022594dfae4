/**
 * What became of every mutant on one adapter, as it is kept in `golden/mutants/`.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
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

type Head = Pick<MutantsRecord, "adapter" | "key" | "workgroup">;

/** A fate, its killing cases by address. */
type NamedFate = Pick<StoredFate, "fate"> & { readonly by?: readonly string[] };

export function recordOf(head: Head, tried: Tried): MutantsRecord {
  return recordOfNamed(
    head,
    tried.map(({ mutant: { id }, fate }) => [id, {
      fate: fate.kind,
      ...("by" in fate && { by: fate.by }),
    }]),
  );
}

/**
 * The kernels of `now`, and of those that it has not those of `before`.
 *
 * @throws {Failure} where they were not made alike
 */
export function joinRecords(before: MutantsRecord, now: MutantsRecord): MutantsRecord {
  const kernels = kernelsOf(now);
  const kept = namedFates(before).filter(([id]) => !kernels.has(kernelOf(id)));
  if (kept.length > 0 && (before.key !== now.key || before.workgroup !== now.workgroup)) {
    throw new Failure(
      EXIT.usage,
      `Cannot keep ${
        [...kernels].join(", ")
      } beside the other kernels of ${now.adapter}: they were ` +
        `run on ${before.key} at workgroup ${before.workgroup}, these on ${now.key} at ` +
        `${now.workgroup}. Run all that the record has: leave out --kernel.`,
    );
  }
  return recordOfNamed(now, [...kept, ...namedFates(now)]);
}

function recordOfNamed(
  { adapter, key, workgroup }: Head,
  fates: readonly (readonly [id: string, fate: NamedFate])[],
): MutantsRecord {
  const cases = [...new Set(fates.flatMap(([_, { by = [] }]) => by))].sort();
  const placeOf = new Map(cases.map((address, i) => [address, i]));
  return {
    format: MUTANTS_FORMAT,
    adapter,
    key,
    workgroup,
    cases,
    mutants: Object.fromEntries(fates.map(([id, { fate, by }]) => [id, {
      fate,
      ...(by && { by: by.map((address) => placeOf.get(address)!) }),
    }])),
  };
}

function namedFates({ cases, mutants }: MutantsRecord): [string, NamedFate][] {
  return Object.entries(mutants).map(([id, { fate, by }]) => [id, {
    fate,
    ...(by && { by: by.map((place) => cases[place]!) }),
  }]);
}

/** The kernel that a mutant's id begins with. */
export function kernelOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

/** Kernels that a record has mutants of. */
export function kernelsOf({ mutants }: MutantsRecord): Set<string> {
  return new Set(Object.keys(mutants).map(kernelOf));
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
