/**
 * What a baseline is filed under: two runs with the same key ran on the same adapter by the same
 * toolchain, and only those can be compared.
 *
 * @module
 */
import { type AdapterDescription, adapterName } from "../runner/adapter.ts";
import { sha256Hex } from "./sha256.ts";

/** All that makes times incomparable where it differs. */
export interface Environment {
  readonly adapter: AdapterDescription;
  readonly backend: string;
  /** Deno's version, which is its WebGPU implementation's too. */
  readonly deno: string;
  /** Of the arithmetic rules that the adapter was seen to keep, where they were measured. */
  readonly profile?: string;
}

/** Hex digits of a digest that tell a few drivers of one name apart. */
const DIGITS = 8;

/** For instance `llvmpipe-llvm-15-0-6-256-bits-vulkan-deno-2.9.6-1a2b3c4d`. */
export async function environmentKey(environment: Environment): Promise<string> {
  const { adapter, backend, deno } = environment;
  const name = adapterName(adapter).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const digest = await sha256Hex(JSON.stringify(environment));
  return `${name}-${backend}-deno-${deno}-${digest.slice(0, DIGITS)}`;
}

/** In what two environments differ, in words; empty where times can be compared. */
export function environmentDifferences(before: Environment, now: Environment): string[] {
  const differences: string[] = [];
  const tell = (what: string, old: string, fresh: string) => {
    if (old !== fresh) differences.push(`${what}: ${old} there, ${fresh} here`);
  };
  tell("adapter", adapterName(before.adapter), adapterName(now.adapter));
  tell("backend", before.backend, now.backend);
  tell("Deno", before.deno, now.deno);
  tell("arithmetic profile", before.profile ?? "not measured", now.profile ?? "not measured");
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
