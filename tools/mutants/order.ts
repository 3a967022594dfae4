/**
 * Checks in the order in which they notice the most, for a run that has little time.
 *
 * @module
 */
import { workOf } from "../runner/plan.ts";
import type { Check } from "../runner/verdict.ts";
import { coverOf } from "./cover.ts";
import type { MutantsRecord } from "./record.ts";

/** The checks whose cases kill the most mutants for their cost first, then the cheapest. */
export function mostTellingFirst(
  checks: readonly Check[],
  records: readonly MutantsRecord[],
): Check[] {
  const here = new Set(checks.map(({ address }) => address));
  const cover = coverOf(records, (address) => here.has(address) ? workOf(address) : Infinity);
  const place = new Map(
    cover.filter(({ address }) => here.has(address)).map(({ address }, i) => [address, i]),
  );
  const rank = ({ address }: Check) => place.get(address) ?? place.size + workOf(address);
  return [...checks].sort((a, b) => rank(a) - rank(b));
}
