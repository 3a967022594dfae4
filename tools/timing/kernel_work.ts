/**
 * A kernel on a case as work that can be timed.
 *
 * @module
 */
import type { Binding } from "../../kernels/kernel.ts";
import type { Run } from "../runner/pipelines.ts";
import type { Work } from "./clock.ts";
import { copiesFor, type Rotation } from "./rotation.ts";

/**
 * Bytes that the runs must read and write: each input and output of each dispatch once. What a kernel
 * keeps for itself between its dispatches is its own affair.
 */
export function bytesMoved(runs: readonly Run[]): number {
  return runs.flatMap(({ dispatch }) => dispatch.bindings).reduce((sum, binding) => {
    if (binding.kind === "input") return sum + binding.bytes.length;
    return binding.kind === "output" ? sum + binding.words * 4 : sum;
  }, 0);
}

/** Bytes of the largest output among the dispatches. */
export function largestOutput(runs: readonly Run[]): number {
  return Math.max(
    ...runs.flatMap(({ dispatch }) =>
      dispatch.bindings.map((binding) => binding.kind === "output" ? binding.words * 4 : 0)
    ),
  );
}

/**
 * All dispatches of one run, on the copies of its inputs in turn.
 *
 * @param out where every output goes, of every work: WebGPU orders two runs that write the same
 * buffer, so that no run is timed while another one is still under way
 */
export function kernelWork(
  name: string,
  kernelRuns: readonly Run[],
  { device, rotation, out, software, buffer }: {
    device: GPUDevice;
    rotation: Rotation;
    out: GPUBuffer;
    software: boolean;
    /** Makes a buffer that lives as long as the work. */
    buffer: (size: number, usage: GPUBufferUsageFlags) => GPUBuffer;
  },
): Work {
  const inputs = new Set(
    kernelRuns.flatMap(({ dispatch }) =>
      dispatch.bindings.flatMap((binding) => binding.kind === "input" ? [binding.bytes] : [])
    ),
  );
  const inputBytes = [...inputs].reduce((sum, { length }) => sum + length, 0);
  const copies = copiesFor(inputBytes, software, device.limits.maxBufferSize);
  const own = new Map<Uint32Array | string, GPUBuffer>();
  const resource = (binding: Binding, copy: number): GPUBufferBinding => {
    if (binding.kind === "input") return rotation.binding(binding.bytes, copies, copy);
    if (binding.kind === "output") return { buffer: out, size: binding.words * 4 };
    const [key, make] = binding.kind === "uniform"
      ? [binding.words, () => uniformBuffer(binding.words)] as const
      : [binding.name, () => buffer(binding.words * 4, GPUBufferUsage.STORAGE)] as const;
    if (!own.has(key)) own.set(key, make());
    return { buffer: own.get(key)! };
  };
  const uniformBuffer = (words: Uint32Array) => {
    const made = buffer(words.byteLength, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    device.queue.writeBuffer(made, 0, words as Uint32Array<ArrayBuffer>);
    return made;
  };
  const runs = Array.from(
    { length: copies },
    (_, copy) =>
      kernelRuns.map(({ pipeline, dispatch }) => ({
        pipeline,
        workgroups: dispatch.workgroups,
        group: device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: dispatch.bindings.map((binding) => ({
            binding: binding.binding,
            resource: resource(binding, copy),
          })),
        }),
      })),
  );
  const largest = [...inputs].reduce((a, b) => b.length > a.length ? b : a);
  return {
    name,
    encode: (pass, count) => {
      let set: GPUComputePipeline | undefined;
      for (let i = 0; i < count; i++) {
        for (const { pipeline, group, workgroups } of runs[rotation.turn(largest, copies)]!) {
          if (pipeline !== set) pass.setPipeline(set = pipeline);
          pass.setBindGroup(0, group);
          pass.dispatchWorkgroups(...workgroups);
        }
      }
    },
  };
}
