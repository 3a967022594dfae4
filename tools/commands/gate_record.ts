/**
 * What a gate's record says beside its results.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { Failure } from "../exit_codes.ts";
import { goldensDigest } from "../goldens/digest.ts";
import { testedTree } from "../records/tree.ts";
import { shellWord } from "../report/numbers.ts";
import {
  RECORD_FORMAT,
  type RecordedPlan,
  type RunRecord,
  type Shard,
  type UnstartedRecord,
} from "../report/record.ts";
import type { Check } from "../runner/verdict.ts";
import { sha256Hex } from "../timing/sha256.ts";
import { VERSION } from "../version.ts";
import type { EvidenceWork } from "./evidence.ts";
import type { GateOptions } from "./gate_options.ts";

/** What every record of this run begins with. */
export type Head = Pick<UnstartedRecord, "format" | "samebits" | "deno" | "started" | "tree">;

/** A run's record but for what the run itself finds. */
export type RunHead = Omit<RunRecord, "seconds" | "complete" | "results" | "exitCode">;

export async function recordHead(): Promise<Head> {
  const tree = await testedTree();
  return {
    format: RECORD_FORMAT,
    samebits: VERSION,
    deno: Deno.version.deno,
    started: new Date().toISOString(),
    ...(tree && { tree }),
  };
}

/** What a killed run's record says. */
const NOT_BEGUN = "The run was killed before its first check, or is still looking for its adapter.";

/**
 * The record of a run that has not come to its first check.
 *
 * @param error why; none where it may yet come to it
 */
export function unstarted(
  head: Head,
  { adapter, backend, shard }: GateOptions,
  error?: Error,
): UnstartedRecord {
  return {
    ...head,
    kind: "unstarted",
    adapterAsked: [adapter || "default", ...backend ? [`with backend ${backend}`] : []].join(" "),
    ...(shard && { shard }),
    reason: error?.message ?? NOT_BEGUN,
    ...(error instanceof Failure && { exitCode: error.exitCode }),
  };
}

/** Names a plan: see {@linkcode RecordedPlan}. */
export async function planOf(
  checks: readonly Check[],
  { workgroup, repeat }: GateOptions,
  shard: Shard | undefined,
): Promise<RecordedPlan> {
  const pairs = [...new Set(checks.map(({ kernel, address }) => `${kernel} ${address}`))].sort();
  return {
    digest: await sha256Hex(JSON.stringify([pairs, workgroup ?? "the adapter's rule", repeat])),
    checks: checks.length,
    ...(shard && { shard }),
  };
}

/** What a run is made from. */
export interface RunParts {
  readonly work: Pick<EvidenceWork, "chosen" | "profile" | "goldens" | "texts">;
  readonly kernels: readonly Kernel[];
  readonly plan: RecordedPlan;
  /** Of this run. */
  readonly checks: readonly Check[];
}

export async function runHead(
  head: Head,
  { work, kernels, plan, checks }: RunParts,
  options: GateOptions,
): Promise<RunHead> {
  const { chosen: { adapter, backend, driverFile }, profile, goldens, texts } = work;
  const digests = kernels.map(async ({ name, text }) => {
    const override = texts.find(({ kernel }) => kernel === name);
    return [name, await sha256Hex(override?.text ?? text)] as const;
  });
  return {
    ...head,
    kind: "run",
    goldens: await goldensDigest(goldens),
    texts: Object.fromEntries(await Promise.all(digests)),
    plan,
    adapter,
    backend,
    ...(driverFile !== undefined && { driverFile }),
    ...(profile && { profile: { key: profile.key, hash: profile.hash, rules: profile.rules } }),
    options: reproductionOptions(options),
    planned: checks.length,
    repeats: options.repeat,
  };
}

/** What a line that runs one check again has to repeat. */
function reproductionOptions(options: GateOptions): string[] {
  const { adapter, backend, repeat, text, golden } = options;
  return [
    ...adapter ? [`--adapter ${shellWord(adapter)}`] : [],
    ...backend ? [`--backend ${backend}`] : [],
    ...repeat > 1 ? [`--repeat ${repeat}`] : [],
    ...(text ?? []).map((one) => `--text ${shellWord(one)}`),
    ...golden ? [`--golden ${shellWord(golden)}`] : [],
  ];
}
