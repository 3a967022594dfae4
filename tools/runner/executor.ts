/**
 * What runs a batch of checks, wherever it does so.
 *
 * @module
 */
import type { Check, Result } from "./verdict.ts";

/** What a batch came to. */
export type Outcome =
  /** A verdict for each check, in order. */
  | { readonly kind: "results"; readonly results: readonly Result[] }
  /** No check of it has a verdict, and it is not known which of them is to blame. */
  | {
    readonly kind: "broken";
    /** A finished sentence: what happened. */
    readonly message: string;
    /** The kernel took device, process or time with it, and would do so again. */
    readonly fatal: boolean;
  };

/** Runs batches, one at a time; a broken batch leaves it ready for the next one. */
export interface Executor {
  /** Runs a batch to its outcome; it rejects only for a defect of the suite. */
  run(checks: readonly Check[]): Promise<Outcome>;
}
