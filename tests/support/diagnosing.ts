/**
 * Running a kernel on cases that tell causes apart, and looking into what differs.
 *
 * @module
 */
import { type Case, caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { type Look, whyItDiffers } from "../../tools/diagnose/look.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { computeGolden } from "../../tools/runner/prove.ts";
import { testAdapter } from "./gpu.ts";

/** Ordinary, odd shapes, subnormal scales, traps, near-ties, special scales. */
export const CASES: readonly Case[] = [
  "random:rows=64,n=1024,cols=9,seed=5",
  "tile:rows=33,n=256,cols=7,seed=1040",
  "edge:rows=9,n=256,cols=5,w=engine,signs=random,a=subnormal,quants=engine,seed=2013",
  "trap:rows=33,n=256,cols=8,seed=4002",
  "odd:rows=8,n=256,cols=12,seed=5001",
  "edge:rows=9,n=256,cols=5,w=special,signs=random,a=engine,quants=engine,seed=2039",
].map((name) => caseAt(`q1_0_matmul/${name}`));

/** Runs something on a device of the adapter under test. */
export async function withExecutor<Result>(
  kernel: Kernel,
  use: (executor: DeviceExecutor) => Promise<Result>,
): Promise<Result> {
  const device = await openDevice(await testAdapter());
  const open = () => Promise.resolve(device);
  const executor = new DeviceExecutor({ open, kernels: [kernel], golden: computeGolden });
  try {
    return await use(executor);
  } finally {
    device.destroy();
  }
}

/** Looks into each case that the kernel fails. */
export function looksInto(
  kernel: Kernel,
  { workgroup = 64, repeats = 3, cases = CASES } = {},
): Promise<Look[]> {
  return withExecutor(kernel, async (executor) => {
    const looks: Look[] = [];
    for (const { address } of cases) {
      const check = { kernel: kernel.name, address, workgroup };
      const look = await whyItDiffers(executor, check, { kernel, repeats });
      if (typeof look === "string") throw new Error(`${address}: ${look}`);
      if (look.diagnosis.blame !== "nothing") looks.push(look);
    }
    return looks;
  });
}
