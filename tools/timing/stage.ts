/**
 * All that is timed together, on its buffers.
 *
 * @module
 */
import type { Dispatch, Kernel } from "../../kernels/kernel.ts";
import { BatchError } from "../runner/batch.ts";
import { errorScope } from "../runner/error_scope.ts";
import { Pipelines } from "../runner/pipelines.ts";
import type { Work } from "./clock.ts";
import { bytesMoved, kernelWork, largestOutput } from "./kernel_work.ts";
import { arithmeticWork, emptyWork, fillWithPattern, OUTPUT_BYTES, readWork } from "./programs.ts";
import { Rotation } from "./rotation.ts";

/** Bytes of the calibration's read, past the caches; a software adapter reads some GB a second. */
const READ_BYTES = { hardware: 256 << 20, software: 16 << 20 } as const;

/** A kernel on a case, ready to be put on buffers. */
export interface Ready {
  readonly id: string;
  readonly kernel: Kernel;
  readonly workgroup: number;
  readonly dispatches: readonly Dispatch[];
}

export interface Stage {
  readonly empty: Work;
  readonly read: Work;
  readonly arithmetic: Work;
  readonly readBytes: number;
  /** In the order of what was ready; `bytes` are those that a run moves. */
  readonly works: readonly { readonly id: string; readonly bytes: number; readonly work: Work }[];
  release(): void;
}

/** @throws {BatchError} where the GPU refuses a buffer */
export async function setStage(
  device: GPUDevice,
  ready: readonly Ready[],
  software: boolean,
): Promise<Stage> {
  const pipelines = new Pipelines(device);
  const compiled = await Promise.all(
    ready.map(async ({ id, kernel, workgroup, dispatches }) => {
      const runs = await pipelines.runs(kernel, workgroup, dispatches);
      if ("verdict" in runs) throw new Error(runs.verdict.message);
      return { id, runs };
    }),
  );
  const readBytes = Math.min(
    READ_BYTES[software ? "software" : "hardware"],
    Math.floor(device.limits.maxStorageBufferBindingSize / 16) * 16,
  );
  const rotation = new Rotation(device);
  const buffers: GPUBuffer[] = [];
  let stage: Stage | undefined;
  const problem = await errorScope(device, () => {
    const buffer = (size: number, usage: number = GPUBufferUsage.STORAGE) => {
      buffers.push(device.createBuffer({ size, usage }));
      return buffers.at(-1)!;
    };
    const outputs = compiled.map(({ runs }) => largestOutput(runs));
    const out = buffer(Math.max(OUTPUT_BYTES, ...outputs));
    const data = { buffer: buffer(readBytes), size: readBytes };
    fillWithPattern(device, data);
    stage = {
      empty: emptyWork(device, out),
      read: readWork(device, data, out),
      arithmetic: arithmeticWork(device, out),
      readBytes,
      works: compiled.map(({ id, runs }) => {
        const work = kernelWork(id, runs, { device, rotation, out, software, buffer });
        return { id, bytes: bytesMoved(runs), work };
      }),
      release: () => {
        rotation.destroy();
        for (const made of buffers) made.destroy();
      },
    };
  });
  if (problem !== undefined) throw new BatchError(problem);
  return stage!;
}
