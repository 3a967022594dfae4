/**
 * A way to be wrong, with the cause that it stands for.
 *
 * @module
 */
import type { Rules } from "./arithmetic.ts";

/** The family whose wrong arithmetics are known here: of others only what their words show is said. */
export const MODELLED_FAMILY = "q1_0_matmul";

/** A changed rule or two, and what that means. */
export interface Model {
  readonly cause: string;
  readonly rules: Partial<Rules>;
  /** A rule of an adapter's profile, with the answer that would make it do this. */
  readonly adapterRule?: readonly [rule: string, answer: string];
}

export const model = (
  cause: string,
  rules: Partial<Rules>,
  adapterRule?: Model["adapterRule"],
): Model => ({ cause, rules, ...(adapterRule && { adapterRule }) });
