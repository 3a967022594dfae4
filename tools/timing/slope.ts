/**
 * The wall clock where the GPU has none: what twice the work takes longer than once. Whatever both
 * wait for (in Deno, about 11 ms of polling) falls out of the difference.
 *
 * @module
 */
import { median } from "statistics";
import { BatchError } from "../runner/batch.ts";
import { errorScope } from "../runner/error_scope.ts";
import type { Clock, Entry, Work } from "./clock.ts";

/** The wait wanders by a tenth of itself or so; this many of them make that a few per cent. */
const FLOORS = 5;
const FLOOR_SAMPLES = 9;

/** Where the machine was disturbed so much that twice was shorter than once. */
const TRIES = 3;

export class SlopeClock implements Clock {
  readonly kind = "slope";
  readonly #device: GPUDevice;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** The wait itself: it does not stand in the slope, but its wandering does. */
  async floor(empty: Work): Promise<number> {
    const waits: number[] = [];
    for (let i = 0; i < FLOOR_SAMPLES; i++) {
      waits.push(await wallClock(this.#device, { work: empty, count: 1 }));
    }
    return median(waits);
  }

  shortest(floor: number): number {
    return FLOORS * floor;
  }

  /** Once and twice, and a wait for each. */
  cost(ns: number, floor: number): number {
    return 3 * ns + 2 * floor;
  }

  async measure(entries: readonly Entry[]): Promise<number[]> {
    const durations: number[] = [];
    for (const entry of entries) durations.push(await this.#measureOne(entry));
    return durations;
  }

  async #measureOne({ work, count }: Entry): Promise<number> {
    for (let i = 0; i < TRIES; i++) {
      const once = await wallClock(this.#device, { work, count });
      const twice = await wallClock(this.#device, { work, count: 2 * count });
      if (twice > once) return twice - once;
    }
    return NaN;
  }
}

/** Nanoseconds from the submission of one entry until it is known to be done. */
export async function wallClock(device: GPUDevice, { work, count }: Entry): Promise<number> {
  let begun = 0;
  const problem = await errorScope(device, () => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    work.encode(pass, count);
    pass.end();
    const commands = encoder.finish();
    begun = performance.now();
    device.queue.submit([commands]);
  });
  if (problem !== undefined) throw new BatchError(problem);
  await device.queue.onSubmittedWorkDone();
  return (performance.now() - begun) * 1e6;
}
