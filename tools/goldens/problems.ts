/**
 * Whether stored goldens can be used.
 *
 * @module
 */
import { type Case, FAMILIES } from "../../cases/mod.ts";
import { type GoldenProblem, type GoldenStore, isProblem } from "./store.ts";

/** Everything that keeps the stored goldens of these cases from being used, orphans first. */
export function goldenProblems(store: GoldenStore, cases: readonly Case[]): GoldenProblem[] {
  const orphans = FAMILIES.flatMap(({ name }) => store.orphans(name));
  const unusable = cases.map((subject) =>
    [store.read(subject), store.readInput(subject)].find(isProblem)
  );
  return [...orphans, ...unusable.filter((problem) => problem !== undefined)];
}
