/**
 * The mutation score, and what is wrong with a set of mutants.
 *
 * @module
 */
import type { Proof } from "./proofs.ts";
import { isKilled, kernelOf, kernelsOf, type MutantsRecord } from "./record.ts";

/** Of one kernel. */
export interface Score {
  readonly kernel: string;
  /** Mutants that compile. */
  readonly mutants: number;
  readonly killed: number;
  /** Alive here, with a proof that they compute the same. */
  readonly equivalent: number;
  /** Alive here and killed on another adapter whose record is kept. */
  readonly elsewhere: number;
  /** Alive on every adapter, and unexplained: each one is a case that is missing. */
  readonly alive: readonly string[];
  readonly stillborn: number;
}

export function scoresOf(
  record: MutantsRecord,
  others: readonly MutantsRecord[],
  proofs: ReadonlyMap<string, Proof>,
): Score[] {
  const kernels = Map.groupBy(Object.keys(record.mutants), kernelOf);
  return [...kernels].map(([kernel, ids]) => {
    const count = (holds: (id: string) => boolean) => ids.filter(holds).length;
    const killed = (id: string) => isKilled(record.mutants[id]);
    const survives = (id: string) => record.mutants[id]!.fate === "survives";
    const elsewhere = (id: string) =>
      survives(id) && !proofs.has(id) && others.some(({ mutants }) => isKilled(mutants[id]));
    const stillborn = count((id) => record.mutants[id]!.fate === "stillborn");
    return {
      kernel,
      mutants: ids.length - stillborn,
      killed: count(killed),
      equivalent: count((id) => survives(id) && proofs.has(id)),
      elsewhere: count(elsewhere),
      alive: ids.filter((id) => survives(id) && !proofs.has(id) && !elsewhere(id)),
      stillborn,
    };
  });
}

/** Killed of those not proved equivalent, in per cent, on this adapter and on all together. */
export function percentages({ mutants, killed, equivalent, elsewhere }: Score) {
  const all = mutants - equivalent;
  const percent = (part: number) => all === 0 ? 100 : Math.floor(1000 * part / all) / 10;
  return { here: percent(killed), together: percent(killed + elsewhere) };
}

/** Mutants that were noticed before and are not now. */
export function lost(before: MutantsRecord, now: MutantsRecord): string[] {
  return Object.keys(now.mutants).filter((id) =>
    isKilled(before.mutants[id]) && now.mutants[id]!.fate === "survives"
  );
}

/** Kernels that were run now, and of which the record kept before knows no mutant. */
export function unrecorded(before: MutantsRecord | undefined, now: MutantsRecord): string[] {
  return [...kernelsOf(now).difference(before ? kernelsOf(before) : new Set())];
}

/** Proofs that are refuted by a kill, or that are about no mutant. */
export function brokenProofs(
  record: MutantsRecord,
  proofs: ReadonlyMap<string, Proof>,
): string[] {
  const kernels = kernelsOf(record);
  return [...proofs.keys()].filter((id) => kernels.has(kernelOf(id))).flatMap((id) => {
    const fate = record.mutants[id];
    if (!fate) return [`no such mutant any more: ${id}`];
    return isKilled(fate) && !proofs.get(id)!.folding
      ? [`proved equivalent, and yet it is killed: ${id}`]
      : [];
  });
}
