/**
 * Do a family's cases notice a fault? Kernels run on the adapter under test, against the reference.
 *
 * @module
 */
import { expect } from "expect";
import { allCases, type Case } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { planChecks } from "../../tools/runner/plan.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Result } from "../../tools/runner/verdict.ts";
import { type Fault, plant } from "./faults.ts";
import { testAdapter } from "./gpu.ts";

/** Runs a kernel on cases, at one size. */
export async function resultsOf(
  kernel: Kernel,
  cases: readonly Case[],
  workgroup = 64,
): Promise<Result[]> {
  const adapter = await testAdapter();
  let device: GPUDevice | undefined;
  const executor = new DeviceExecutor({
    open: async () => device = await openDevice(adapter),
    kernels: [kernel],
    golden: computeGolden,
  });
  const results = await Array.fromAsync(
    runChecks(executor, planChecks([kernel], cases, [workgroup])),
  );
  device?.destroy();
  return results;
}

/** The small cases of a family: of at most so much work. */
export function smallCases(family: string, most = 50_000): Case[] {
  return allCases().filter((one) =>
    one.family.name === family && one.family.cost(one.parsed) <= most
  );
}

/** A fault, and a part of an address that it must be noticed on. */
export interface Planted extends Fault {
  readonly on: RegExp;
}

/** A test for each fault: at least one of the cases that it must be noticed on differs. */
export function testFaults(
  family: string,
  faults: readonly Planted[],
  cases: readonly Case[] = smallCases(family),
): void {
  for (const fault of faults) {
    Deno.test(`${fault.kernel}, planted: ${fault.name}`, async () => {
      const kernel = plant(fault);
      const results = await resultsOf(
        kernel,
        cases.filter(({ address }) => fault.on.test(address)),
      );
      expect(results.length).toBeGreaterThan(0);
      const kinds = new Set(results.map(({ verdict }) => verdict.kind));
      expect([...kinds].filter((kind) => kind !== "pass" && kind !== "differ")).toEqual([]);
      expect(kinds).toContain("differ");
    });
  }
}
