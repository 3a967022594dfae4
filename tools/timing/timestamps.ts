/**
 * The GPU's own clock: a pair of timestamps around each pass, all read back together.
 *
 * @module
 */
import { median } from "statistics";
import { BatchError } from "../runner/batch.ts";
import { errorScope } from "../runner/error_scope.ts";
import type { Clock, Entry, Work } from "./clock.ts";

/** Entries in a command buffer: WebGPU allows 4,096 queries in a set, and an entry takes two. */
const ENTRIES = 2048;
const QUERY_BYTES = 8;
/**
 * A pass costs some microseconds itself, a floor that a kernel must stand out of, and timestamps may
 * be quantized to 100 µs by browsers: a few of those.
 */
const FLOORS = 20;
const LEAST_NS = 100e3;
const FLOOR_SAMPLES = 9;

export class TimestampClock implements Clock {
  readonly kind = "timestamps";
  readonly #device: GPUDevice;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #readback: GPUBuffer;

  constructor(device: GPUDevice) {
    const size = ENTRIES * 2 * QUERY_BYTES;
    this.#device = device;
    this.#queries = device.createQuerySet({ type: "timestamp", count: ENTRIES * 2 });
    this.#resolved = device.createBuffer({
      size,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    this.#readback = device.createBuffer({
      size,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
  }

  /** What a pass with an empty kernel takes. */
  async floor(empty: Work): Promise<number> {
    const entries = Array.from({ length: FLOOR_SAMPLES }, () => ({ work: empty, count: 1 }));
    const times = (await this.measure(entries)).filter((ns) => ns > 0);
    return times.length > 0 ? median(times) : 0;
  }

  shortest(floor: number): number {
    return Math.max(FLOORS * floor, LEAST_NS);
  }

  cost(ns: number): number {
    return ns;
  }

  async measure(entries: readonly Entry[]): Promise<number[]> {
    const durations: number[] = [];
    for (let at = 0; at < entries.length; at += ENTRIES) {
      durations.push(...await this.#measure(entries.slice(at, at + ENTRIES)));
    }
    return durations;
  }

  async #measure(entries: readonly Entry[]): Promise<number[]> {
    const queries = entries.length * 2;
    const problem = await errorScope(this.#device, () => {
      const encoder = this.#device.createCommandEncoder();
      entries.forEach(({ work, count }, i) => {
        const pass = encoder.beginComputePass({
          timestampWrites: {
            querySet: this.#queries,
            beginningOfPassWriteIndex: 2 * i,
            endOfPassWriteIndex: 2 * i + 1,
          },
        });
        work.encode(pass, count);
        pass.end();
      });
      encoder.resolveQuerySet(this.#queries, 0, queries, this.#resolved, 0);
      encoder.copyBufferToBuffer(this.#resolved, 0, this.#readback, 0, queries * QUERY_BYTES);
      this.#device.queue.submit([encoder.finish()]);
    });
    if (problem !== undefined) throw new BatchError(problem);
    await this.#readback.mapAsync(GPUMapMode.READ);
    const times = new BigUint64Array(this.#readback.getMappedRange().slice(0));
    this.#readback.unmap();
    return entries.map((_, i) => {
      const duration = Number(times[2 * i + 1]! - times[2 * i]!);
      return duration > 0 ? duration : NaN;
    });
  }
}
