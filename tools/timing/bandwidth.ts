/**
 * What the memory gives a WebGPU kernel: a read of buffers past the caches, as
 * spec/roofline.md says.
 *
 * @module
 */
import { BatchError } from "../runner/batch.ts";
import { errorScope } from "../runner/error_scope.ts";
import type { Clock } from "./clock.ts";
import { fillWithPattern, outputBytes, readWork } from "./programs.ts";
import { wallClock } from "./slope.ts";

/** One buffer size. */
export interface BandwidthPoint {
  readonly bytes: number;
  /** Of the best grid size, the best pass, in nanoseconds. */
  readonly ns: number;
  /** Workgroups of 256 in that grid. */
  readonly groups: number;
  /** One wall-clock span around all passes, divided by them: what a naive measurement says. */
  readonly wallNs: number;
}

/** Grid sizes tried: how many invocations fill a device is not told by WebGPU. */
const GROUPS = [1024, 4096, 16_384];
/** Passes before anything is kept: clocks rise, pages are touched. */
const WARM_PASSES = 2;

/**
 * Reads a buffer of each size.
 *
 * @param passes timed for each size and grid
 * @param progress hears the part that is done, 0 to 1
 */
export async function measureBandwidth(
  device: GPUDevice,
  clock: Clock,
  sizes: readonly number[],
  passes: number,
  progress: (done: number) => void,
): Promise<BandwidthPoint[]> {
  const points: BandwidthPoint[] = [];
  for (const bytes of sizes) {
    points.push(await measureOne(device, clock, bytes, passes));
    progress(points.length / sizes.length);
  }
  return points;
}

async function measureOne(
  device: GPUDevice,
  clock: Clock,
  bytes: number,
  passes: number,
): Promise<BandwidthPoint> {
  const buffers: GPUBuffer[] = [];
  const buffer = (size: number) => {
    buffers.push(device.createBuffer({ size, usage: GPUBufferUsage.STORAGE }));
    return buffers.at(-1)!;
  };
  try {
    let works: { groups: number; work: ReturnType<typeof readWork> }[] = [];
    const problem = await errorScope(device, () => {
      const data = { buffer: buffer(bytes), size: bytes };
      const out = buffer(outputBytes(Math.max(...GROUPS)));
      fillWithPattern(device, data);
      works = GROUPS.map((groups) => ({ groups, work: readWork(device, data, out, groups) }));
    });
    if (problem !== undefined) throw new BatchError(problem);
    let best = { ns: Infinity, groups: 0, work: works[0]!.work };
    for (const { groups, work } of works) {
      const entries = Array.from({ length: WARM_PASSES + passes }, () => ({ work, count: 1 }));
      const times = (await clock.measure(entries)).slice(WARM_PASSES).filter((ns) => ns > 0);
      const ns = Math.min(...times);
      if (ns < best.ns) best = { ns, groups, work };
    }
    const wallNs = await wallClock(device, { work: best.work, count: passes }) / passes;
    return { bytes, ns: best.ns, groups: best.groups, wallNs };
  } finally {
    for (const made of buffers) made.destroy();
  }
}
