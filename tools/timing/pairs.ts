/**
 * Comparing works that were timed side by side.
 *
 * @module
 */
import { INTERVAL_ERROR } from "./decide.ts";
import { type Interval, signedRankInterval } from "./ranks.ts";
import type { Samples } from "./sampling.ts";

/**
 * The logarithm of after / before, from the rounds in which both were timed. What the machine did
 * in a round (its clock, its other users) stands in both and falls out.
 */
export function pairedInterval(
  before: Pick<Samples, "round" | "ns">,
  after: Pick<Samples, "round" | "ns">,
): Interval & { readonly pairs: number } {
  const nsBefore = new Map(before.round.map((round, i) => [round, before.ns[i]!]));
  const differences = after.round.flatMap((round, i) => {
    const ns = nsBefore.get(round);
    return ns === undefined ? [] : [Math.log(after.ns[i]! / ns)];
  });
  return { ...signedRankInterval(differences, INTERVAL_ERROR), pairs: differences.length };
}
