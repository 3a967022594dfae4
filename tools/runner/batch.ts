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

/** Fills the buffers, encodes all dispatches and submits them; the readback buffer is the last. */
function encode(
  device: GPUDevice,
  layout: Layout,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
): GPUBuffer[] {
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const make = (size: number, usage: number) => device.createBuffer({ size, usage });
  const inputs = make(layout.inputs.size, STORAGE | COPY_DST);
  const uniforms = make(layout.uniforms.size, UNIFORM | COPY_DST);
  const results = make(layout.results.size, STORAGE | COPY_SRC | COPY_DST);
  const readback = make(layout.results.size, MAP_READ | COPY_DST);

  // Never through mappedAtCreation: Deno's getMappedRange first reads the memory, which took 1.4 s
  // for 39 MB on an H200 where writeBuffer took 10 ms.
  device.queue.writeBuffer(inputs, 0, inputBytes(layout));
  device.queue.writeBuffer(uniforms, 0, uniformBytes(layout, placed));
  device.queue.writeBuffer(results, 0, poisonedSlots(layout, checks, placed));

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const buffers = { input: inputs, uniform: uniforms, output: results };
  checks.forEach(({ pipeline }, i) => {
    pass.setPipeline(pipeline);
    const layout = pipeline.getBindGroupLayout(0);
    for (const { ranges, workgroups } of placed[i]!.flat()) {
      const entries = ranges.map(({ binding, range }) => ({
        binding: binding.binding,
        resource: { buffer: buffers[binding.kind], ...range },
      }));
      pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
      pass.dispatchWorkgroups(...workgroups);
    }
  });
  pass.end();
  encoder.copyBufferToBuffer(results, 0, readback, 0, layout.results.size);
  device.queue.submit([encoder.finish()]);
  return [inputs, uniforms, results, readback];
}

function inputBytes(layout: Layout): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(layout.inputs.size);
  for (const [bytes, { offset }] of layout.inputRanges) all.set(bytes, offset);
  return all;
}

function uniformBytes(layout: Layout, placed: readonly Placed[][][]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(layout.uniforms.size);
  for (const { binding, range } of placed.flat(2).flatMap(({ ranges }) => ranges)) {
    if (binding.kind === "uniform") bytes.set(new Uint8Array(binding.words.buffer), range.offset);
  }
  return bytes;
}

/** What the buffer of results holds before the run. */
function poisonedSlots(
  layout: Layout,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(layout.results.size / 4);
  checks.forEach(({ expected }, i) => {
    for (const slot of placed[i]!.flat().flatMap(({ slots }) => slots)) {
      poison(wordsOf(words, slot), expected.subarray(slot.first, slot.first + slot.words));
    }
  });
  return words;
}

function wordsOf(words: Uint32Array, { offset, size }: Slot): Uint32Array {
  return words.subarray(offset / 4, (offset + size) / 4);
}

/** Puts the parts of a check's output together, repetition by repetition. */
function collect(words: Uint32Array, repeats: readonly Placed[][], length: number): Output {
  let overrun = 0;
  const outputs = repeats.map((dispatches) => {
    const output = new Uint32Array(length);
    for (const slot of dispatches.flatMap(({ slots }) => slots)) {
      const part = wordsOf(words, slot);
      output.set(part.subarray(0, slot.words), slot.first);
      overrun += overrunWords(part, slot.words);
    }
    return output;
  });
  return { repeats: outputs, overrun };
}
