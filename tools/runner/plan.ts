/**
 * Which checks a run makes, and in which batches.
 *
 * @module
 */
import { type Case, caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import type { Check } from "./verdict.ts";

/**
 * Weight products in a batch: about 0.1 s on a software adapter, so that progress is seen and a
 * limit of seconds is not reached by a healthy batch.
 */
const BATCH_COST = 48e6;

/** What a check costs beside its weight products, in their unit: buffers, bindings, dispatches. */
const FIXED_WORK = 50_000;

/** The work in one check on a case, in weight products: what its time is about proportional to. */
export function workOf(address: string): number {
  const { family, parsed } = caseAt(address);
  return FIXED_WORK + family.cost(parsed);
}

/** The checks of these kernels on these cases, the kernels of a case side by side. */
export function planChecks(
  kernels: readonly Kernel[],
  cases: readonly Case[],
  workgroups: readonly number[],
): Check[] {
  return cases.flatMap(({ address, family }) =>
    kernels
      .filter((kernel) => kernel.family === family.name)
      .flatMap((kernel) =>
        sizesFor(kernel, workgroups).map((workgroup) => ({
          kernel: kernel.name,
          address,
          workgroup,
        }))
      )
  );
}

/** A kernel whose text fixes the size is run at that one. */
function sizesFor({ workgroup }: Kernel, workgroups: readonly number[]): readonly number[] {
  return workgroup.kind === "fixed" ? [workgroup.size] : workgroups;
}

/** Cuts the checks into batches of bounded work; a larger check is a batch of its own. */
export function planBatches(checks: readonly Check[], repeats = 1): Check[][] {
  const batches: Check[][] = [];
  let batch: Check[] = [];
  let cost = 0;
  for (const check of checks) {
    const { family, parsed } = caseAt(check.address);
    const added = family.cost(parsed) * repeats;
    if (batch.length > 0 && cost + added > BATCH_COST) {
      batches.push(batch);
      batch = [];
      cost = 0;
    }
    batch.push(check);
    cost += added;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
