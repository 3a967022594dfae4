/**
 * One cause for many failing checks of a kernel: a case alone may not tell two causes apart.
 *
 * @module
 */
import type { TextPlace } from "../runner/verdict.ts";
import { type Blame, type Diagnosis, NEVER_WRITTEN, PAST_THE_END, placeOf } from "./diagnose.ts";
import { isComplete } from "./explain.ts";

/** What the failing checks of a kernel say together. */
export interface Consensus {
  /** Absent where none explains more than half of the checks, or many words of one. */
  readonly cause?: string;
  /** Who is to blame for that. */
  readonly blame: Blame;
  /** Checks that it explains. */
  readonly explains: number;
  /** Checks looked into. */
  readonly of: number;
  /** The statement that took the first wrong step of the most checks, and of how many. */
  readonly first?: { readonly place: TextPlace; readonly checks: number };
}

/**
 * The cause that explains the most checks, each alone and wholly. Of causes that explain as many,
 * the one that goes the way of the traces, and then the one that stands first in the most diagnoses.
 *
 * @param diagnoses at least one
 */
export function consensusOf(diagnoses: readonly Diagnosis[]): Consensus {
  const of = diagnoses.length;
  const place = firstPlace(diagnoses);
  const rest = { of, ...(place && { first: place }) };
  const moving = diagnoses.filter(({ blame }) => blame === "not deterministic");
  // Wrong words of an output that moves are of no one arithmetic.
  if (moving.length > 0) return { ...counted(moving[0]!.cause, moving), ...rest };
  for (const part of [NEVER_WRITTEN, PAST_THE_END]) {
    const alike = diagnoses.filter(({ cause }) => cause.includes(part));
    if (2 * alike.length > of) return { ...counted(alike[0]!.cause, alike), ...rest };
  }
  const explained = new Map<string, Diagnosis[]>();
  for (const one of diagnoses) {
    for (const cause of causesOf(one)) {
      explained.set(cause, [...explained.get(cause) ?? [], one]);
    }
  }
  const against = (cause: string) =>
    diagnoses.filter(({ ranked }) => ranked.some((one) => one.cause === cause && one.againstTrace))
      .length;
  const firsts = (cause: string) => diagnoses.filter((one) => one.cause === cause).length;
  const [best] = [...explained].sort(([a, some], [b, others]) =>
    others.length - some.length || against(a) - against(b) || firsts(b) - firsts(a)
  );
  // What explains few words of a few checks only meets them by chance.
  if (!best || 2 * best[1].length <= of && !isSure(...best)) {
    return { blame: diagnoses[0]!.blame, explains: 0, ...rest };
  }
  return { ...counted(...best), ...rest };
}

/** Words that no wrong cause meets by chance in two checks. */
const SURE_WORDS = 16;

/** Other checks may not tell: where a cause reads what nobody knows, it cannot be held against them. */
function isSure(cause: string, explained: readonly Diagnosis[]): boolean {
  return explained.filter(({ ranked }) =>
    ranked.some((one) => one.cause === cause && one.explained >= SURE_WORDS && !one.againstTrace)
  ).length > 1;
}

function counted(cause: string, explained: readonly Diagnosis[]) {
  return { cause, blame: explained[0]!.blame, explains: explained.length };
}

function causesOf(one: Diagnosis): string[] {
  if (!one.isComplete) return [];
  return [...new Set([one.cause, ...one.ranked.filter(isComplete).map(({ cause }) => cause)])];
}

function firstPlace(diagnoses: readonly Diagnosis[]): Consensus["first"] {
  const places = diagnoses.map(placeOf).filter((place) => place !== undefined);
  const [most] = [...Map.groupBy(places, ({ file, line }) => `${file}:${line}`).values()]
    .sort((a, b) => b.length - a.length);
  return most && { place: most[0]!, checks: most.length };
}
