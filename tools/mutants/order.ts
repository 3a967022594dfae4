/**
 * Checks in the order in which they notice the most, for a run that has little time.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import type { Check } from "../runner/verdict.ts";
import { coverOf } from "./cover.ts";
import type { MutantsRecord } from "./record.ts";

/** What a check costs beside its weight products: buffers, bindings, a dispatch a column. */
const FIXED_COST = 50_000;

/** The checks whose cases kill the most mutants for their cost first, then the cheapest. */
export function mostTellingFirst(
  checks: readonly Check[],
  records: readonly MutantsRecord[],
): Check[] {
  const costOf = (address: string) => {
    const { family, parsed } = caseAt(address);
    return FIXED_COST + family.cost(parsed);
  };
  const here = new Set(checks.map(({ address }) => address));
  const cover = coverOf(records, (address) => here.has(address) ? costOf(address) : Infinity);
  const place = new Map(
    cover.filter(({ address }) => here.has(address)).map(({ address }, i) => [address, i]),
  );
  const rank = ({ address }: Check) => place.get(address) ?? place.size + costOf(address);
  return [...checks].sort((a, b) => rank(a) - rank(b));
}
