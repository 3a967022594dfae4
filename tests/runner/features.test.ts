/** Features that a text needs: asked for, said where they are missing, enabled where that is known. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { enabledText, featureNeeds, openWithFeatures } from "../../tools/runner/features.ts";
import { planChecks } from "../../tools/runner/plan.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import { kernelNamed } from "../support/faults.ts";
import { adapterKind, testAdapter } from "../support/gpu.ts";

const SUBGROUP = kernelNamed("Q1_PROJECT_SUBGROUP");

Deno.test("a missing feature is named, and no other kernel needs one", () => {
  expect(featureNeeds(SUBGROUP, new Set(["shader-f16"])))
    .toBe("needs the feature subgroups, which the adapter does not offer");
  expect(featureNeeds(SUBGROUP, new Set(["subgroups"]))).toBeUndefined();
  expect(featureNeeds(kernelNamed("Q1_PROJECT"), new Set())).toBeUndefined();
});

Deno.test("a device without subgroups leaves the kernel's checks unsupported, with the reason", async () => {
  const adapter = await testAdapter();
  let device: GPUDevice | undefined;
  const executor = new DeviceExecutor({
    open: async () => device = await adapter.requestDevice(),
    kernels: [SUBGROUP],
    golden: computeGolden,
  });
  const cases = [caseAt("q1_projection/tile:rows=1,n=32,cols=1,seed=1")];
  const results = await Array.fromAsync(runChecks(executor, planChecks([SUBGROUP], cases, [64])));
  device!.destroy();
  expect(results.map(({ verdict }) => verdict)).toEqual([{
    kind: "unsupported",
    reason: "needs the feature subgroups, which the adapter does not offer",
  }]);
});

/** An adapter that has these features, and refuses others as WebGPU says. */
function adapterWith(...offered: string[]) {
  const asked: string[][] = [];
  const requestDevice = (descriptor: GPUDeviceDescriptor) => {
    const features = [...descriptor.requiredFeatures ?? []];
    asked.push(features);
    return features.every((name) => offered.includes(name))
      ? Promise.resolve({ features: new Set(features) } as unknown as GPUDevice)
      : Promise.reject(new TypeError("no such feature"));
  };
  return { adapter: { requestDevice } as unknown as GPUAdapter, asked };
}

Deno.test("subgroups are asked for although they are not listed, and done without", async () => {
  for (
    const [offered, asked] of [
      [["subgroups", "shader-f16"], [["shader-f16", "subgroups"]]],
      [["shader-f16"], [["shader-f16", "subgroups"], ["shader-f16"]]],
    ] as const
  ) {
    const made = adapterWith(...offered);
    const device = await openWithFeatures(made.adapter, { requiredFeatures: ["shader-f16"] });
    expect(made.asked).toEqual(asked);
    expect(device.features.has("subgroups")).toBe(
      (offered as readonly string[]).includes("subgroups"),
    );
  }
  const listed = adapterWith("subgroups");
  await openWithFeatures(listed.adapter, { requiredFeatures: ["subgroups"] });
  expect(listed.asked).toEqual([["subgroups"]]);
});

Deno.test("a failure that is not about features is not tried again", async () => {
  const lost = {
    requestDevice: () => Promise.reject(new DOMException("gone", "OperationError")),
  } as unknown as GPUAdapter;
  await expect(openWithFeatures(lost, { requiredFeatures: [] })).rejects.toThrow("gone");
});

/** A device whose compiler refuses `enable`, or does not. */
function compiler(refuses: boolean): GPUDevice {
  return {
    pushErrorScope: () => {},
    popErrorScope: () => Promise.resolve(null),
    createShaderModule: () => {
      if (refuses) throw new Error("not yet supported");
    },
  } as unknown as GPUDevice;
}

Deno.test("a text is enabled where the compiler knows the word, without a line more", async () => {
  const text = await enabledText(compiler(false), SUBGROUP);
  expect(text).toBe(`enable subgroups; ${SUBGROUP.text}`);
  expect(await enabledText(compiler(true), SUBGROUP)).toBe(SUBGROUP.text);
  const plain = kernelNamed("Q1_PROJECT");
  expect(await enabledText(compiler(false), plain)).toBe(plain.text);
});

Deno.test("adapters that are known to have subgroups give them to whom asks", async () => {
  if (await adapterKind() === "other") return;
  const device = await openDevice(await testAdapter());
  expect(device.features.has("subgroups")).toBe(true);
  device.destroy();
});
