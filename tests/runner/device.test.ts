/** The runner on a device: losing it, refusing what it cannot do, and proving it. */
import { expect } from "expect";
import { quickCases } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { planChecks } from "../../tools/runner/plan.ts";
import { computeGolden, prove } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import { countVerdicts } from "../../tools/runner/verdict.ts";
import { kernelNamed } from "../support/faults.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";
import { testAdapter } from "../support/gpu.ts";

const cases = quickCases().filter(({ parsed }) => parsed.group === "tile").slice(0, 20);

async function verdicts(kernels: readonly Kernel[], open: () => Promise<GPUDevice>) {
  const executor = new DeviceExecutor({ open, kernels, golden: computeGolden });
  return await Array.fromAsync(runChecks(executor, planChecks(kernels, cases, [64])));
}

/** A kernel whose recipe does something the first `times` times that it is asked. */
function meddling(times: number, meddle: () => void): Kernel {
  let left = times;
  return {
    ...kernelNamed("Q1_MM"),
    prepare: (input, workgroup) => {
      if (left-- > 0) meddle();
      return kernelNamed("Q1_MM").prepare(input, workgroup);
    },
  };
}

Deno.test("a device lost in the middle of a run costs no check its verdict", async () => {
  let device: GPUDevice | undefined;
  let opened = 0;
  const results = await verdicts(
    [meddling(1, () => device!.destroy()), kernelNamed("Q1_DOT")],
    async () => {
      opened++;
      return device = await openDevice(await testAdapter());
    },
  );
  expect(countVerdicts(results)).toEqual({ pass: 40, differ: 0, error: 0, unsupported: 0 });
  expect(opened).toBe(2);
});

Deno.test("a kernel that loses the device each time is given up, and the others pass", async () => {
  let device: GPUDevice | undefined;
  const results = await verdicts(
    [meddling(Infinity, () => device!.destroy()), kernelNamed("Q1_DOT")],
    async () => device = await openDevice(await testAdapter()),
  );
  const of = (name: string) => results.filter(({ check }) => check.kernel === name);
  expect(countVerdicts(of("Q1_DOT")).pass).toBe(20);
  expect(countVerdicts(of("Q1_MM")).error).toBe(20);
  expect(of("Q1_MM")[0]!.verdict).toMatchObject({
    message: expect.stringContaining("device was lost"),
  });
});

Deno.test("a device that cannot be opened again leaves errors, not an exception", async () => {
  let device: GPUDevice | undefined;
  const results = await verdicts([meddling(1, () => device!.destroy())], async () => {
    if (device) throw new Error("no more devices");
    return device = await openDevice(await testAdapter());
  });
  expect(countVerdicts(results)).toMatchObject({ error: 20 });
  expect(results[0]!.verdict).toMatchObject({
    message: expect.stringContaining("no more devices"),
  });
});

Deno.test("a text that binds otherwise than its recipe is an error of its own checks", async () => {
  const broken: Kernel = {
    ...kernelNamed("Q1_MM"),
    // A binding that the text does not have.
    prepare: (input, workgroup) =>
      kernelNamed("Q1_MM").prepare(input, workgroup).map((dispatch) => ({
        ...dispatch,
        bindings: dispatch.bindings.map((one) => one.binding === 0 ? { ...one, binding: 9 } : one),
      })),
  };
  const results = await verdicts(
    [broken, kernelNamed("Q1_DOT")],
    async () => openDevice(await testAdapter()),
  );
  expect(countVerdicts(results)).toEqual({ pass: 20, differ: 0, error: 20, unsupported: 0 });
  const refused = results.find(({ verdict }) => verdict.kind === "error")!;
  expect(refused.verdict).toMatchObject({
    message: expect.stringMatching(/does not compile.*bind/i),
  });
});

Deno.test("a dispatch that the GPU refuses is an error of its own check", async () => {
  const broken: Kernel = {
    ...kernelNamed("Q1_MM"),
    // One binding twice.
    prepare: (input, workgroup) =>
      kernelNamed("Q1_MM").prepare(input, workgroup).map((dispatch) => ({
        ...dispatch,
        bindings: [...dispatch.bindings, dispatch.bindings[0]!],
      })),
  };
  const results = await verdicts(
    [kernelNamed("Q1_DOT"), broken],
    async () => openDevice(await testAdapter()),
  );
  expect(countVerdicts(results)).toEqual({ pass: 20, differ: 0, error: 20, unsupported: 0 });
});

Deno.test("a text that could write to what other checks read does not compile", async () => {
  const text = kernelNamed("Q1_MM").text
    .replace("var<storage, read> Wb", "var<storage, read_write> Wb");
  const results = await verdicts(
    [{ ...kernelNamed("Q1_MM"), text }, kernelNamed("Q1_MM4")],
    async () => openDevice(await testAdapter()),
  );
  expect(countVerdicts(results)).toEqual({ pass: 20, differ: 0, error: 20, unsupported: 0 });
});

Deno.test("what an adapter does not offer is unsupported, with both numbers", async () => {
  const adapter = await testAdapter();
  const tooMany = adapter.limits.maxComputeInvocationsPerWorkgroup + 8;
  const { kernels } = await prove(adapter, {
    kernels: ENGINE_KERNELS,
    cases,
    workgroups: [tooMany, 12],
  });
  for (const { kernel, unsupported, counts, proven } of kernels) {
    if (kernel === "Q1_DOT") continue; // its text fixes the size
    expect(proven).toBe(false);
    expect(counts.unsupported).toBe(20);
    const { verdict } = unsupported[0]!;
    if (verdict.kind !== "unsupported") throw new Error("not unsupported");
    const number = (value: number) => value.toLocaleString("en-US");
    expect(verdict.reason).toMatch(
      unsupported[0]!.check.workgroup === 12
        ? /multiple of 8, not 12/
        : new RegExp(`${number(tooMany)} .*offers ${number(tooMany - 8)}`),
    );
  }
});

Deno.test("prove: an adapter, and a device of the caller's, may do the work", async () => {
  const byAdapter = await prove(await testAdapter());
  expect(byAdapter.proven).toBe(true);
  expect(byAdapter.kernels.map(({ kernel }) => kernel)).toEqual(KERNELS.map(({ name }) => name));
  const device = await openDevice(await testAdapter());
  const byDevice = await prove(device, { cases, kernels: ENGINE_KERNELS });
  expect(byDevice.proven).toBe(true);
  // It is still open.
  device.pushErrorScope("validation");
  device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE });
  expect(await device.popErrorScope()).toBeNull();
  device.destroy();
});

Deno.test("prove: a wrong golden is a failure that names the rows", async () => {
  const proof = await prove(await testAdapter(), {
    cases: cases.filter(({ address }) => address.includes("rows=2,")).slice(0, 1),
    golden: async (subject) => {
      const words = (await computeGolden(subject)).slice();
      words[1]! ^= 1;
      return words;
    },
  });
  expect(proof.proven).toBe(false);
  for (const { failures, ruledOut } of proof.kernels) {
    if (ruledOut) continue;
    expect(failures[0]!.verdict).toMatchObject({ kind: "differ", mismatch: { rows: [1] } });
  }
});

Deno.test("prove: no checks prove nothing", async () => {
  expect((await prove(await testAdapter(), { cases: [] })).proven).toBe(false);
});
