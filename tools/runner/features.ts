/**
 * Features of WebGPU that a kernel's text needs beside the core.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { errorScope } from "./error_scope.ts";

/**
 * Features that a device may have although its adapter does not list them, and what a text enables
 * them with where the compiler knows the word. Deno 2.9.6 gives subgroups to whom asks, lists them
 * nowhere on the adapter, and its naga refuses `enable subgroups;` as not yet supported.
 */
const UNLISTED: Partial<Record<GPUFeatureName, string>> = { subgroups: "enable subgroups;" };

/** Opens a device with these features and, where the adapter gives them, those that it hides. */
export async function openWithFeatures(
  adapter: GPUAdapter,
  descriptor: GPUDeviceDescriptor & { readonly requiredFeatures: readonly GPUFeatureName[] },
): Promise<GPUDevice> {
  const hidden = (Object.keys(UNLISTED) as GPUFeatureName[])
    .filter((name) => !descriptor.requiredFeatures.includes(name));
  if (hidden.length === 0) return await adapter.requestDevice(descriptor);
  try {
    const requiredFeatures = [...descriptor.requiredFeatures, ...hidden];
    return await adapter.requestDevice({ ...descriptor, requiredFeatures });
  } catch (error) {
    // A feature that is not there is a TypeError, and leaves the adapter as it was.
    if (!(error instanceof TypeError)) throw error;
    return await adapter.requestDevice(descriptor);
  }
}

/** Why the device cannot compile the kernel, or `undefined`. */
export function featureNeeds(
  { features = [] }: Pick<Kernel, "features">,
  offered: { has(name: string): boolean },
): string | undefined {
  const missing = features.filter((name) => !offered.has(name));
  return missing.length === 0
    ? undefined
    : `needs the feature ${missing.join(", ")}, which the adapter does not offer`;
}

/**
 * The text with what enables its features, where the device's compiler knows it. It stands in the
 * first line, so that lines keep their numbers.
 */
export async function enabledText(
  device: GPUDevice,
  { text, features = [] }: Pick<Kernel, "text" | "features">,
): Promise<string> {
  let enabled = text;
  for (const name of features) {
    const code = UNLISTED[name];
    if (code === undefined) continue;
    const problem = await errorScope(device, () => void device.createShaderModule({ code }));
    if (problem === undefined) enabled = `${code} ${enabled}`;
  }
  return enabled;
}
