/**
 * Which cases notice the most: the order for a run that has little time.
 *
 * @module
 */
import type { MutantsRecord } from "./record.ts";

/** A case, and how many mutants it is the first in the list to kill. */
export interface Cover {
  readonly address: string;
  readonly kills: number;
}

/**
 * Cases in such an order that each kills the most mutants, for its cost, of those that live after
 * the cases before it; cases that kill nothing more are left out.
 */
export function coverOf(
  records: readonly MutantsRecord[],
  costOf: (address: string) => number,
): Cover[] {
  const killsOf = new Map<string, Set<string>>();
  for (const { adapter, cases, mutants } of records) {
    for (const [id, { by = [] }] of Object.entries(mutants)) {
      for (const place of by) {
        const address = cases[place]!;
        if (!killsOf.has(address)) killsOf.set(address, new Set());
        killsOf.get(address)!.add(`${adapter} ${id}`);
      }
    }
  }
  const cover: Cover[] = [];
  for (;;) {
    let best: { address: string; kills: Set<string>; worth: number } | undefined;
    for (const [address, kills] of killsOf) {
      const worth = kills.size / costOf(address);
      if (kills.size > 0 && (!best || worth > best.worth)) best = { address, kills, worth };
    }
    if (!best) return cover;
    const { address, kills } = best;
    cover.push({ address, kills: kills.size });
    killsOf.delete(address);
    for (const rest of killsOf.values()) for (const id of kills) rest.delete(id);
  }
}
