/**
 * The cases that mutants are run on, the cheapest first, in rungs: most mutants die on the first
 * rung, and only those that live climb on.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";

/** Cases of the first rungs; the last rung has all that are left. */
const RUNGS = [16, 48, 72];

/** A case's work in weight products. */
function costOf({ family, parsed }: Case): number {
  return family.cost(parsed);
}

/** All cases of a family but the matrices of whole models, which other cases stand for. */
export function ladder(cases: readonly Case[], family: string): Case[][] {
  const ascending = cases
    .filter((one) => one.family.name === family && costOf(one) <= MOST_COST)
    .map((one) => ({ one, cost: costOf(one) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ one }) => one);
  const rungs: Case[][] = [];
  let from = 0;
  for (const count of [...RUNGS, Infinity]) {
    const rung = ascending.slice(from, from + count);
    if (rung.length > 0) rungs.push(rung);
    from += count;
  }
  return rungs;
}

/** As for `quickCases`: more weight products than this is a matrix of a whole model. */
const MOST_COST = 3e6;
