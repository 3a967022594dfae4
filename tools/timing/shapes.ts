/**
 * What is timed where nothing else is asked for.
 *
 * @module
 */
import { type Case, caseAt, FAMILIES } from "../../cases/mod.ts";

/** What each family says of itself. */
export function productionCases(): Case[] {
  return FAMILIES.flatMap((family) => family.timedAddresses()).map(caseAt);
}
