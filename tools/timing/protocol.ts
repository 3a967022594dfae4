/**
 * What the commands and the process that times kernels tell each other.
 *
 * @module
 */
import type { AdapterAssignment } from "../isolation/protocol.ts";
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Verdict } from "../runner/verdict.ts";
import type { BandwidthPoint } from "./bandwidth.ts";
import type { ClockKind } from "./clock.ts";
import type { Samples } from "./sampling.ts";

/** A kernel on a case, to be timed. */
export interface Target {
  /** Unlike that of any other target of the run. */
  readonly id: string;
  readonly kernel: string;
  readonly address: string;
  readonly workgroup: number;
  /** Another text in the kernel's place. */
  readonly variant?: Variant;
}

/** A text that is run by a kernel's recipe. */
export interface Variant {
  /** Tells it from other texts of this kernel in the run; equal texts of two names are compiled twice. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** The first line to the process. */
export interface TimingAssignment extends AdapterAssignment {
  readonly goldenFolder: string;
  /** `slope`: do without the GPU's timestamps even where it has them. */
  readonly clock?: ClockKind;
}

/** How long and how often. */
export interface Measuring {
  readonly seconds: number;
  /** Samples of each target: see schedule.ts. */
  readonly least: number;
  readonly most: number;
  /** Every target in every round, because they are compared round by round? */
  readonly together: boolean;
  /** Of the order in which targets are timed. */
  readonly seed: number;
  /** Run each until it settles? A smoke run does not. */
  readonly thorough: boolean;
}

/** Every further line to it. */
export type TimingRequest =
  /** Hold the targets' outputs against their goldens. */
  | { readonly kind: "prove"; readonly targets: readonly Target[] }
  /** Measure the adapter's arithmetic rules. */
  | { readonly kind: "rules" }
  /** Time some of the targets that were proved. */
  | { readonly kind: "measure"; readonly ids: readonly string[]; readonly measuring: Measuring }
  /** Measure what the memory gives, from these buffer sizes. */
  | { readonly kind: "bandwidth"; readonly sizes: readonly number[]; readonly passes: number };

/** What one target took. */
export interface TargetSamples {
  readonly id: string;
  /** Runs in a sample. */
  readonly repeats: number;
  /** Bytes that one run reads and writes. */
  readonly bytes: number;
  readonly samples: Samples;
}

/** What a measuring came to. */
export interface Measurement {
  readonly clock: ClockKind;
  /** What an empty kernel takes by this clock, in nanoseconds. */
  readonly floorNs: number;
  /** Bytes that the calibration's bandwidth read reads. */
  readonly readBytes: number;
  readonly targets: readonly TargetSamples[];
}

/** Lines from the process. */
export type TimingReply =
  | { readonly kind: "adapter"; readonly adapter: AdapterDescription | null }
  /** The part that is done, 0 to 1. */
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "proved"; readonly verdicts: readonly Verdict[] }
  | { readonly kind: "rules"; readonly rules: Rules }
  | { readonly kind: "measured"; readonly measurement: Measurement }
  | { readonly kind: "bandwidths"; readonly points: readonly BandwidthPoint[] }
  /** What a {@linkcode Failure} says. */
  | { readonly kind: "failure"; readonly exitCode: number; readonly message: string };
