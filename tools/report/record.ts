/**
 * The records that runs leave: all that any report is made from. `record.schema.json` describes
 * them as JSON Schema, for whoever reads them with other tools.
 *
 * @module
 */
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Check, Result, TextPlace } from "../runner/verdict.ts";

/** Grows when a reader of older records would misread a new one. 2: plans, shards, merging. */
export const RECORD_FORMAT = 2;

/** What a record's file can hold. */
export type SavedRecord = RunRecord | UnstartedRecord | MergedRecord;

/** What every record begins with. */
interface RecordHead {
  readonly format: typeof RECORD_FORMAT;
  readonly samebits: string;
  readonly deno: string;
  /** ISO 8601. */
  readonly started: string;
  /** Absent where git does not know the tree. */
  readonly tree?: TestedTree;
}

/** The commit that was tested. */
export interface TestedTree {
  /** All digits. */
  readonly commit: string;
  /** SHA-256 of what `git diff HEAD` printed, where the tree was not quite that commit. */
  readonly changes?: string;
}

/** A run of checks on one adapter. */
export interface RunRecord extends RecordHead {
  readonly kind: "run";
  /** From the first check to the last verdict. */
  readonly seconds: number;
  /** The run came to its own end. A run that is killed leaves `false` behind. */
  readonly complete: boolean;
  /** A sentence: why it did not come to its end, where it could still say so. */
  readonly stopped?: string;
  /** SHA-256 of the goldens' manifests. */
  readonly goldens: string;
  /** SHA-256 of each kernel's text, by the kernel's name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly plan: RecordedPlan;
  readonly adapter: AdapterDescription;
  readonly backend: string;
  /** The Vulkan driver's file, where one was named. */
  readonly driverFile?: string;
  /** Absent where the adapter's rules could not be measured. */
  readonly profile?: RecordedProfile;
  /** Options that a reproduction of a check needs beside kernel, size and address. */
  readonly options: readonly string[];
  /** Checks of this run; fewer results mean that it ended early. */
  readonly planned: number;
  readonly repeats: number;
  readonly results: readonly Result[];
  /** What `gate --evidence` found out about some of the failing checks. */
  readonly diagnoses?: readonly RecordedDiagnosis[];
  /** What the results so far come to; an incomplete run's is never 0. */
  readonly exitCode: number;
}

/** The whole plan, of which a shard runs a part. */
export interface RecordedPlan {
  /**
   * SHA-256 of every kernel and address, the workgroup sizes asked for, and the repetitions. The
   * same on every adapter, whose own rule for the workgroup size is no part of it.
   */
  readonly digest: string;
  /** Of all shards together. */
  readonly checks: number;
  readonly shard?: Shard;
}

/** A part of a plan. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
  /** SHA-256 of the durations that the plan was cut by: other durations cut it elsewhere. */
  readonly durations: string;
}

/** What arithmetic the adapter keeps. */
export interface RecordedProfile {
  /** What baselines and expectations are filed under. */
  readonly key: string;
  /** A digest of the rules. */
  readonly hash: string;
  readonly rules: Rules;
}

/** A diagnosis as a report shows it. */
export interface RecordedDiagnosis {
  readonly check: Check;
  readonly blame: string;
  readonly cause: string;
  /** Does the cause explain all that was looked at? */
  readonly isComplete: boolean;
  /** What the terminal showed, blame and cause among it. */
  readonly lines: readonly string[];
  /** The line of the kernel that is to blame, where it is known. */
  readonly place?: TextPlace;
}

/** A run that has not come to its first check: no adapter, no goldens, nothing to run, or killed. */
export interface UnstartedRecord extends RecordHead {
  readonly kind: "unstarted";
  /** The adapter that was asked for, in the words of the command line. */
  readonly adapterAsked: string;
  /** The shard that was asked for. */
  readonly shard?: Pick<Shard, "index" | "of">;
  /** What the terminal showed. */
  readonly reason: string;
  /** Absent where the run was killed: nobody was left to say how it ended. */
  readonly exitCode?: number;
}

/** Runs of several shards and adapters, as they came. */
export interface MergedRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly kind: "merged";
  readonly samebits: string;
  /** ISO 8601. */
  readonly merged: string;
  /** Texts that an adapter's name must contain; each reported here, or there is a problem. */
  readonly expected: readonly string[];
  readonly runs: readonly RunRecord[];
  /** What keeps the runs from being one proof, each a finished text with its remedy. */
  readonly problems: readonly string[];
  readonly exitCode: number;
}

/** The runs in a record. */
export function runsOf(record: SavedRecord): readonly RunRecord[] {
  if (record.kind === "merged") return record.runs;
  return record.kind === "run" ? [record] : [];
}
