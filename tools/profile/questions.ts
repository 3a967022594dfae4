/**
 * What each rule of a profile is about.
 *
 * @module
 */
import { ACCURACY } from "./accuracy.ts";
import { LOOPS } from "./loops.ts";
import { WORD_PROBES } from "./measure.ts";
import { MEMORY } from "./memory.ts";

/** The question by rule. */
export const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ...[...WORD_PROBES, ...ACCURACY, ...LOOPS, ...MEMORY].map(({ rule, asks }) =>
    [rule, asks] as const
  ),
  ["subgroup_size", "Invocations in a subgroup, as the adapter says"],
]);
