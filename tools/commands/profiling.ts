/**
 * The profile of the adapter that a command has opened.
 *
 * @module
 */
import { cpus } from "node:os";
import type { ChosenAdapter } from "../adapters/choose.ts";
import { type Known, type Profile, profileOf, recognize } from "../profile/profile.ts";
import { storedProfiles } from "../profile/store.ts";

/** A profile, and whether it is a known one. */
export interface Recognized {
  readonly profile: Profile;
  readonly known: Known;
}

/** What gives WebGPU to every command. */
export function implementation(): string {
  return `Deno ${Deno.version.deno}`;
}

/** The machine's processor: `AMD EPYC, 2 cores`. */
export function processorName(): string {
  const cores = cpus();
  return `${cores[0]?.model ?? "unknown processor"}, ${cores.length} cores`;
}

/**
 * Measures the adapter's rules, which its executor keeps from then on.
 *
 * @returns a sentence where they cannot be measured
 */
export async function profileAdapter(
  { executor, adapter }: Pick<ChosenAdapter, "executor" | "adapter">,
): Promise<Recognized | string> {
  const rules = await executor.rules();
  if (typeof rules === "string") return rules;
  const profile = await profileOf(adapter, rules, implementation());
  return { profile, known: recognize(profile, storedProfiles()) };
}
