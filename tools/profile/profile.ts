/**
 * An adapter's profile: what it says of itself, and the arithmetic rules it really keeps.
 *
 * @module
 */
import { type AdapterDescription, adapterName } from "../runner/adapter.ts";
import type { Rules } from "./measure.ts";

/** Grows when a reader of older profiles would misread a new one. */
export const PROFILE_FORMAT = 1;

/** Plain data, as it is stored. */
export interface Profile {
  /** {@linkcode PROFILE_FORMAT}. */
  readonly format: 1;
  /** What baselines and expectations are filed under: see {@linkcode profileOf}. */
  readonly key: string;
  /** A digest of the rules. */
  readonly hash: string;
  /** What gives WebGPU here, and its version. */
  readonly implementation: string;
  /** What it says of itself. */
  readonly adapter: AdapterDescription;
  /** What it does. */
  readonly rules: Rules;
}

/**
 * Makes the profile. Its key is the adapter's name, a digest of all that the adapter says of itself
 * (two drivers can carry the same name and differ in features and limits), the rules' digest, and
 * the implementation: `name.self.rules.implementation`.
 */
export async function profileOf(
  adapter: AdapterDescription,
  rules: Rules,
  implementation: string,
): Promise<Profile> {
  const hash = await digest(rules);
  const self = await digest(adapter);
  const parts = [fileNameOf(adapterName(adapter)), self, hash, fileNameOf(implementation)];
  return { format: PROFILE_FORMAT, key: parts.join("."), hash, implementation, adapter, rules };
}

/** A name in small letters, digits and `_`, for keys and files. */
export function fileNameOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
}

/** Eight hex digits of a SHA-256; the order of an object's names does not matter. */
async function digest(value: object): Promise<string> {
  const text = JSON.stringify(
    value,
    (_, inner) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner,
  );
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)),
  );
  return bytes.subarray(0, 4).toHex();
}

/** A rule that two profiles answer differently; `undefined` where one has no such rule. */
export interface ChangedRule {
  /** Its name. */
  readonly rule: string;
  /** The answer that was known. */
  readonly before: string | number | undefined;
  /** The answer given now. */
  readonly now: string | number | undefined;
}

/** The rules in which two profiles differ. */
export function changedRules(before: Rules, now: Rules): ChangedRule[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((rule) => before[rule] !== now[rule])
    .map((rule) => ({ rule, before: before[rule], now: now[rule] }));
}

/** What is known of an adapter from profiles stored before. */
export type Known =
  /** One of them has the same rules. */
  | { readonly kind: "same" }
  /** There is none of this adapter. */
  | { readonly kind: "unknown" }
  /** There are some of this adapter, and all differ: the nearest one. */
  | { readonly kind: "changed"; readonly nearest: Profile; readonly rules: readonly ChangedRule[] };

/** Holds a profile against the stored ones. */
export function recognize(profile: Profile, stored: readonly Profile[]): Known {
  const same = stored.filter(({ adapter }) => isSameAdapter(adapter, profile.adapter));
  if (same.length === 0) return { kind: "unknown" };
  const [nearest] = same
    .map((one) => ({ nearest: one, rules: changedRules(one.rules, profile.rules) }))
    .sort((a, b) => a.rules.length - b.rules.length);
  return nearest!.rules.length === 0 ? { kind: "same" } : { kind: "changed", ...nearest! };
}

/** By what a driver update leaves as it is. */
function isSameAdapter(a: AdapterDescription, b: AdapterDescription): boolean {
  return a.vendor === b.vendor && a.device === b.device && a.description === b.description;
}
