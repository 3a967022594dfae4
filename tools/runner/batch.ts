/**
 * Many checks in one command buffer, with one readback: each awaited completion costs about 11 ms
 * in Deno, whatever was computed.
 *
 * @module
 */
import type { Dispatch } from "../../kernels/kernel.ts";
import type { Output } from "./compare.ts";
import { errorScope } from "./error_scope.ts";
import { Layout, type Placed, type Slot } from "./layout.ts";
import { overrunWords, poison } from "./poison.ts";

/** A check that is ready to run. */
export interface Prepared {
  readonly pipeline: GPUComputePipeline;
  readonly dispatches: readonly Dispatch[];
  /** The golden, for the poison. */
  readonly expected: Uint32Array;
}

/** Nothing of a batch can be believed: the GPU refused one of its calls. */
export class BatchError extends Error {
  override name = "BatchError";
}

/**
 * Runs the checks of a batch, each `repeats` times.
 *
 * @returns an output for each, in order
 * @throws {BatchError} when an error scope caught something
 */
export async function runBatch(
  device: GPUDevice,
  checks: readonly Prepared[],
  repeats: number,
): Promise<Output[]> {
  const layout = new Layout(device.limits);
  const placed = checks.map(({ dispatches }) =>
    Array.from({ length: repeats }, () => dispatches.map((dispatch) => layout.place(dispatch)))
  );
  const buffers: GPUBuffer[] = [];
  try {
    const problem = await errorScope(device, () => {
      buffers.push(...encode(device, layout, checks, placed));
    });
    if (problem !== undefined) throw new BatchError(problem);
    const readback = buffers.at(-1)!;
    await readback.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(readback.getMappedRange());
    return checks.map(({ expected }, i) => collect(words, placed[i]!, expected.length));
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

/** Makes the buffers, encodes all dispatches and submits them; the readback buffer is the last. */
function encode(
  device: GPUDevice,
  layout: Layout,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
): GPUBuffer[] {
  const resultBytes = layout.results.size;
  const inputs = filledBuffer(device, layout.inputs.size, GPUBufferUsage.STORAGE, (bytes) => {
    for (const [source, { offset }] of layout.inputRanges) bytes.set(source, offset);
  });
  const uniforms = filledBuffer(device, layout.uniforms.size, GPUBufferUsage.UNIFORM, (bytes) => {
    for (const { binding, range } of placed.flat(2).flatMap(({ ranges }) => ranges)) {
      if (binding.kind === "uniform") {
        bytes.set(new Uint8Array(binding.words.buffer), range.offset);
      }
    }
  });
  const results = filledBuffer(
    device,
    resultBytes,
    GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
    (bytes) => {
      checks.forEach(({ expected }, i) => {
        for (const { slots } of placed[i]!.flat()) {
          for (const slot of slots) poisonSlot(bytes, slot, expected);
        }
      });
    },
  );
  const readback = device.createBuffer({
    size: resultBytes,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  checks.forEach(({ pipeline }, i) => {
    pass.setPipeline(pipeline);
    const layout = pipeline.getBindGroupLayout(0);
    for (const { ranges, workgroups } of placed[i]!.flat()) {
      const entries = ranges.map(({ binding, range }) => ({
        binding: binding.binding,
        resource: { buffer: bufferOf(binding.kind, inputs, uniforms, results), ...range },
      }));
      pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
      pass.dispatchWorkgroups(...workgroups);
    }
  });
  pass.end();
  encoder.copyBufferToBuffer(results, 0, readback, 0, resultBytes);
  device.queue.submit([encoder.finish()]);
  return [inputs, uniforms, results, readback];
}

function bufferOf(
  kind: "input" | "uniform" | "output",
  inputs: GPUBuffer,
  uniforms: GPUBuffer,
  results: GPUBuffer,
): GPUBuffer {
  return { input: inputs, uniform: uniforms, output: results }[kind];
}

function filledBuffer(
  device: GPUDevice,
  size: number,
  usage: GPUBufferUsageFlags,
  fill: (bytes: Uint8Array) => void,
): GPUBuffer {
  const buffer = device.createBuffer({ size, usage, mappedAtCreation: true });
  fill(new Uint8Array(buffer.getMappedRange()));
  buffer.unmap();
  return buffer;
}

function poisonSlot(bytes: Uint8Array, slot: Slot, expected: Uint32Array): void {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + slot.offset, slot.size / 4);
  poison(words, expected.subarray(slot.first, slot.first + slot.words));
}

/** Puts the parts of a check's output together, repetition by repetition. */
function collect(words: Uint32Array, repeats: readonly Placed[][], length: number): Output {
  let overrun = 0;
  const outputs = repeats.map((dispatches) => {
    const output = new Uint32Array(length);
    for (const slot of dispatches.flatMap(({ slots }) => slots)) {
      const part = words.subarray(slot.offset / 4, (slot.offset + slot.size) / 4);
      output.set(part.subarray(0, slot.words), slot.first);
      overrun += overrunWords(part, slot.words);
    }
    return output;
  });
  return { repeats: outputs, overrun };
}
