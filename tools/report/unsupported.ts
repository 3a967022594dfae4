/**
 * Why some checks could not run, for a terminal or a log.
 *
 * @module
 */
import type { Result } from "../runner/verdict.ts";
import { counted } from "./numbers.ts";

/** Addresses named below a reason. */
const ADDRESSES_NAMED = 3;

/** Why some checks could not run here, each reason once. */
export function unsupportedLines(results: readonly Result[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { check, verdict } of results) {
    if (verdict.kind !== "unsupported") continue;
    const reason = `${check.kernel}, workgroup ${check.workgroup}: ${verdict.reason}`;
    reasons.set(reason, [...reasons.get(reason) ?? [], check.address]);
  }
  const cases = Map.groupBy(
    results,
    ({ check: { kernel, workgroup } }) => `${kernel}, workgroup ${workgroup}`,
  );
  return [...reasons].flatMap(([reason, addresses]) => {
    const all = cases.get(reason.slice(0, reason.indexOf(":")))!.length;
    return [`UNSUPPORTED  ${reason}`, ...unsupportedCases(addresses, all)];
  });
}

function unsupportedCases(addresses: readonly string[], all: number): string[] {
  const more = addresses.length - ADDRESSES_NAMED;
  if (more > 0 && addresses.length === all) return [`  none of its ${counted(all, "case")}`];
  return [
    ...addresses.slice(0, ADDRESSES_NAMED).map((address) => `  ${address}`),
    ...more > 0 ? [`  and ${counted(more, "other case")}`] : [],
  ];
}
