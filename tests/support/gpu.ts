/**
 * The adapter that tests run on: the one named by SAMEBITS_ADAPTER, else the machine's own, else
 * the embedded one.
 *
 * @module
 */
import type { AdapterWish } from "../../tools/adapters/choose.ts";
import { chooseBackend } from "../../tools/adapters/backends.ts";
import { driverFiles, driverName } from "../../tools/adapters/driver_files.ts";
import { loadEmbedded, prepareEmbedded } from "../../tools/adapters/embedded/embedded.ts";
import { hasAdapter } from "./machine.ts";

/** The embedded adapter must be loaded before this isolate first asks for an adapter. */
async function settle(): Promise<void> {
  const wish = Deno.env.get("SAMEBITS_ADAPTER") ?? "default";
  if (wish === "embedded" || (wish === "default" && !await hasAdapter())) {
    return loadEmbedded(await prepareEmbedded());
  }
  Deno.env.set("DENO_WEBGPU_BACKEND", chooseBackend(undefined));
  const driver = driverFiles().find((path) => driverName(path) === wish);
  if (driver) Deno.env.set("VK_DRIVER_FILES", driver);
}

const settled = settle();

/** How the commands' own code is told to use the adapter that tests run on. */
export async function wishOfTests(): Promise<AdapterWish> {
  await settled;
  const adapter = Deno.env.get("SAMEBITS_ADAPTER");
  return adapter ? { adapter } : {};
}

/** A fresh adapter, of which one device can be opened. */
export async function testAdapter(): Promise<GPUAdapter> {
  await settled;
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new Error("no adapter, although one was found before");
  return adapter;
}

/** What the adapter under test is known to do, from tools/runner and measurements. */
export async function adapterKind(): Promise<"llvmpipe" | "swiftshader" | "nvidia" | "other"> {
  const { description, vendor } = (await testAdapter()).info;
  if (/llvmpipe/i.test(description)) return "llvmpipe";
  if (/swiftshader/i.test(description)) return "swiftshader";
  return vendor === "4318" || /nvidia/i.test(vendor) ? "nvidia" : "other";
}
