/**
 * In which order works are timed.
 *
 * @module
 */
import { below, type Random } from "../../cases/random.ts";

/** How often each work is timed. */
export interface Budget {
  /** Nanoseconds for all samples together; 0 is for the least samples, whatever they take. */
  readonly ns: number;
  /** Every work gets these many, as long as the budget is not overdrawn twice. */
  readonly least: number;
  readonly most: number;
  /** Does every work take part in every round, because they are compared round by round? */
  readonly together: boolean;
}

/**
 * Samples for each work: equal shares of the time, or as many for one as for the other.
 *
 * @param costs nanoseconds of a sample of each work
 */
export function sampleCounts(
  costs: readonly number[],
  { ns, least, most, together }: Budget,
): number[] {
  const clamp = (count: number) => Math.min(most, Math.max(least, Math.floor(count)));
  if (together) {
    const round = costs.reduce((sum, cost) => sum + cost, 0);
    return costs.map(() => clamp(ns / round));
  }
  // What the slow ones take beyond their share, for their least, the others have to do without.
  const slow = costs.map((cost) => cost * least * costs.length > ns);
  const taken = costs.reduce((sum, cost, i) => sum + (slow[i] ? cost * least : 0), 0);
  const share = (ns - taken) / Math.max(1, slow.filter((one) => !one).length);
  return costs.map((cost, i) => slow[i] ? least : clamp(share / cost));
}

/**
 * The order of all samples: rounds, in each of which the works that take part stand in an order of
 * their own. All take part in the first `least` rounds, after which measuring may be cut short; in
 * the later ones a work with fewer samples takes part now and then, evenly.
 *
 * @returns a list of works (by index) for each round
 */
export function rounds(counts: readonly number[], least: number, random: Random): number[][] {
  const later = Math.max(...counts) - least;
  const takesPart = (count: number, round: number) => {
    if (round < least) return true;
    const share = (count - least) / later;
    return Math.floor((round - least + 1) * share) > Math.floor((round - least) * share);
  };
  return Array.from({ length: least + later }, (_, round) => {
    const members = counts.flatMap((count, work) => takesPart(count, round) ? [work] : []);
    return shuffled(members, random);
  });
}

/** In random order (Fisher and Yates). */
function shuffled(items: number[], random: Random): number[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
