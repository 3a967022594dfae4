/**
 * What `watch` and its GPU process tell each other beside what isolation/protocol.ts has.
 *
 * @module
 */
import type { Check } from "../runner/verdict.ts";

/** What a case's verdict depends on beside the kernel, by address: digests of input and golden. */
export type CaseStates = Readonly<Record<string, string>>;

/** What is to be run. */
export interface PlanRequest {
  readonly kind: "plan";
  /** Globs of addresses and of kernels' names, as for the gate. */
  readonly globs: readonly string[];
  readonly kernels: readonly string[];
  /** Files that changed, from the top of the project; all that is chosen runs where absent. */
  readonly changed?: readonly string[];
  /** The cases as they were when they last ran. */
  readonly states: CaseStates;
}

export type WatchRequest =
  | PlanRequest
  /** Give the next batch of the plan. */
  | { readonly kind: "next" }
  /** Give the cases as they are now, as far as a moment's work goes. */
  | { readonly kind: "states" };

/** A batch of the plan, or its end. */
export interface NextBatch {
  readonly kind: "next";
  /** Absent at the end of the plan. */
  readonly checks?: readonly Check[];
  /** The process was started since the plan was made, and knows nothing of it. */
  readonly forgotten?: true;
  /** Why cases were left out: goldens that cannot be used. At the end. */
  readonly problems: readonly string[];
}

export type WatchReply =
  /** The kernels that the changed files touch. */
  | { readonly kind: "planned"; readonly kernels: readonly string[] }
  | NextBatch
  | { readonly kind: "states"; readonly states: CaseStates; readonly isComplete: boolean };
