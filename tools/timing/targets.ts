/**
 * From kernels and cases to targets.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { planChecks } from "../runner/plan.ts";
import type { Check } from "../runner/verdict.ts";
import type { Target } from "./protocol.ts";

/** Names a kernel on a case at a workgroup size, in baselines and on the wire. */
export function targetId({ kernel, workgroup, address }: Check): string {
  return `${kernel} ${workgroup} ${address}`;
}

/** Every kernel on every case that it computes. */
export function targetsOf(
  kernels: readonly Kernel[],
  cases: readonly Case[],
  workgroup: number,
): Target[] {
  return planChecks(kernels, cases, [workgroup]).map((check) => ({
    ...check,
    id: targetId(check),
  }));
}
