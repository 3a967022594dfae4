/**
 * A kernel on a case as work that can be timed.
 *
 * @module
 */
import type { Binding, Dispatch } from "../../kernels/kernel.ts";
import type { Work } from "./clock.ts";
import { copiesFor, type Rotation } from "./rotation.ts";

/** Bytes that the dispatches read and write: each binding of each dispatch once. */
export function bytesMoved(dispatches: readonly Dispatch[]): number {
  return dispatches.flatMap(({ bindings }) => bindings).reduce((sum, binding) => {
    if (binding.kind === "input") return sum + binding.bytes.length;
    return binding.kind === "output" ? sum + binding.words * 4 : sum;
  }, 0);
}

/** Bytes of the largest output among the dispatches. */
export function largestOutput(dispatches: readonly Dispatch[]): number {
  return Math.max(
    ...dispatches.flatMap(({ bindings }) =>
      bindings.map((binding) => binding.kind === "output" ? binding.words * 4 : 0)
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
  pipeline: GPUComputePipeline,
  dispatches: readonly Dispatch[],
  { device, rotation, out, software }: {
    device: GPUDevice;
    rotation: Rotation;
    out: GPUBuffer;
    software: boolean;
  },
): Work {
  const inputs = new Set(
    dispatches.flatMap(({ bindings }) =>
      bindings.flatMap((binding) => binding.kind === "input" ? [binding.bytes] : [])
    ),
  );
  const inputBytes = [...inputs].reduce((sum, { length }) => sum + length, 0);
  const copies = copiesFor(inputBytes, software, device.limits.maxBufferSize);
  const layout = pipeline.getBindGroupLayout(0);
  const uniforms = new Map<Uint32Array, GPUBuffer>();
  const resource = (binding: Binding, copy: number): GPUBufferBinding => {
    if (binding.kind === "input") return rotation.binding(binding.bytes, copies, copy);
    if (binding.kind === "output") return { buffer: out, size: binding.words * 4 };
    let buffer = uniforms.get(binding.words);
    if (!buffer) {
      buffer = uniformBuffer(device, binding.words);
      uniforms.set(binding.words, buffer);
    }
    return { buffer };
  };
  const runs = Array.from(
    { length: copies },
    (_, copy) =>
      dispatches.map(({ bindings, workgroups }) => ({
        workgroups,
        group: device.createBindGroup({
          layout,
          entries: bindings.map((binding) => ({
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
      pass.setPipeline(pipeline);
      for (let i = 0; i < count; i++) {
        for (const { group, workgroups } of runs[rotation.turn(largest, copies)]!) {
          pass.setBindGroup(0, group);
          pass.dispatchWorkgroups(...workgroups);
        }
      }
    },
  };
}

function uniformBuffer(device: GPUDevice, words: Uint32Array): GPUBuffer {
  const buffer = device.createBuffer({
    size: words.byteLength,
    usage: GPUBufferUsage.UNIFORM,
    mappedAtCreation: true,
  });
  new Uint32Array(buffer.getMappedRange()).set(words);
  buffer.unmap();
  return buffer;
}
