/** Which checks are planned, in which batches, and where their buffers lie. */
import { expect } from "expect";
import { allCases, caseAt, quickCases } from "../../cases/mod.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { Arena, Layout, type Placed } from "../../tools/runner/layout.ts";
import { planBatches, planChecks } from "../../tools/runner/plan.ts";
import { GUARD_WORDS } from "../../tools/runner/poison.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";

Deno.test("every kernel meets every case once at each size, a fixed size once", () => {
  const cases = quickCases().slice(0, 3);
  const checks = planChecks(ENGINE_KERNELS, cases, [32, 64]);
  expect(checks.length).toBe(3 * (1 + 2 + 2));
  const keys = checks.map(({ kernel, address, workgroup }) => [kernel, address, workgroup].join());
  expect(new Set(keys).size).toBe(checks.length);
});

Deno.test("batches keep all checks in order, and large checks are alone", () => {
  const checks = planChecks(KERNELS, allCases(), [64]);
  const batches = planBatches(checks);
  expect(batches.flat()).toEqual(checks);
  for (const batch of batches) {
    const costs = batch.map(({ address }) => {
      const { family, parsed } = caseAt(address);
      return family.cost(parsed);
    });
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(batch.length === 1 || total <= 48e6).toBe(true);
  }
  expect(planBatches(checks, 10).length).toBeGreaterThan(batches.length);
  expect(planBatches([])).toEqual([]);
});

Deno.test("places in a buffer are aligned, whole words, and never overlap", () => {
  const arena = new Arena(256);
  expect([arena.take(5), arena.take(256), arena.take(1)]).toEqual([
    { offset: 0, size: 8 },
    { offset: 256, size: 256 },
    { offset: 512, size: 4 },
  ]);
  expect(arena.size).toBe(516);
});

Deno.test("an input that dispatches share is stored once; each output has a guard", () => {
  const layout = new Layout(
    {
      minStorageBufferOffsetAlignment: 256,
      minUniformBufferOffsetAlignment: 64,
    } as GPUSupportedLimits,
  );
  const bytes = new Uint8Array(12);
  const dispatch = {
    bindings: [
      { binding: 0, kind: "input", bytes },
      { binding: 1, kind: "output", first: 3, words: 5 },
    ],
    workgroups: [1, 1, 1],
  } as const;
  const [[first], [second]] = [layout.place([dispatch]), layout.place([dispatch])] as [
    [Placed],
    [Placed],
  ];
  expect(layout.inputs.size).toBe(12);
  expect(first.ranges[0]!.range).toBe(second.ranges[0]!.range);
  expect(first.slots).toEqual([{ offset: 0, size: (5 + GUARD_WORDS) * 4, first: 3, words: 5 }]);
  expect(second.slots[0]!.offset).toBeGreaterThanOrEqual(first.slots[0]!.size);
});
