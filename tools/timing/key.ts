/**
 * Where times are comparable: the same adapter, keeping the same rules, driven by the same toolchain.
 *
 * @module
 */
import { fileNameOf, type Profile } from "../profile/profile.ts";
import { type AdapterDescription, adapterName } from "../runner/adapter.ts";

/** All that makes times incomparable where it differs. */
export interface Environment {
  /** What baselines are filed under: the profile's key, the backend, and the processor if it counts. */
  readonly key: string;
  readonly adapter: AdapterDescription;
  readonly backend: string;
  /** What gives WebGPU here, and its version. */
  readonly implementation: string;
  /** The digest of the arithmetic rules that the adapter was seen to keep. */
  readonly profile: string;
  /** The processor, where it is what computes: a software adapter says the same of itself on all. */
  readonly processor?: string;
}

export function environmentOf(
  { key: adapterKey, adapter, implementation, hash }: Profile,
  backend: string,
  processor: string,
): Environment {
  const environment = { adapter, backend, implementation, profile: hash };
  const key = `${adapterKey}.${backend}`;
  if (!adapter.software) return { key, ...environment };
  return { key: `${key}.${fileNameOf(processor)}`, ...environment, processor };
}

/**
 * In what two environments differ, in words; empty where times can be compared. Of another adapter
 * nothing but its name is told: all else differs with it.
 */
export function environmentDifferences(before: Environment, now: Environment): string[] {
  const differences: string[] = [];
  const tell = (what: string, old: string, fresh: string) => {
    if (old !== fresh) differences.push(`${what}: ${old} there, ${fresh} here`);
  };
  tell("adapter", adapterName(before.adapter), adapterName(now.adapter));
  if (differences.length > 0) return differences;
  tell("backend", before.backend, now.backend);
  tell("WebGPU by", before.implementation, now.implementation);
  tell("arithmetic profile", before.profile, now.profile);
  tell("processor", before.processor ?? "any", now.processor ?? "any");
  const { features, limits } = now.adapter;
  const odd = new Set(features).symmetricDifference(new Set(before.adapter.features));
  if (odd.size > 0) differences.push(`features that only one of them has: ${[...odd].join(", ")}`);
  for (const [name, value] of Object.entries(limits)) {
    tell(name, String(before.adapter.limits[name]), String(value));
  }
  tell("other information", infoText(before.adapter), infoText(now.adapter));
  return differences;
}

function infoText({ features: _, limits: __, description: ___, ...info }: AdapterDescription) {
  return Object.values(info).join(" ");
}
