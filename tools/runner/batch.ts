/**
 * Many checks in one command buffer, with one readback: each awaited completion costs about 11 ms
 * in Deno, whatever was computed.
 *
 * @module
 */
import type { Binding } from "../../kernels/kernel.ts";
import { type BatchBuffers, makeBuffers, wordsOf } from "./buffers.ts";
import type { Output } from "./compare.ts";
import { errorScope } from "./error_scope.ts";
import { Layout, type Placed } from "./layout.ts";
import type { Run } from "./pipelines.ts";
import { overrunWords } from "./poison.ts";

/** A check that is ready to run. */
export interface Prepared {
  readonly runs: readonly Run[];
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
  const placed = checks.map(({ runs }) => {
    const dispatches = runs.map(({ dispatch }) => dispatch);
    return Array.from({ length: repeats }, () => layout.place(dispatches));
  });
  let buffers: BatchBuffers | undefined;
  try {
    const problem = await errorScope(device, () => {
      buffers = makeBuffers(device, layout, checks, placed);
      submit(device, layout, checks, placed, buffers);
    });
    if (problem !== undefined) throw new BatchError(problem);
    const { readback } = buffers!;
    await readback.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(readback.getMappedRange());
    return checks.map(({ expected }, i) => collect(words, placed[i]!, expected.length));
  } finally {
    for (const buffer of buffers?.all ?? []) buffer.destroy();
  }
}

/** Encodes all dispatches and what is read back, and submits them. */
function submit(
  device: GPUDevice,
  layout: Layout,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
  { input, uniform, output, scratch, readback }: BatchBuffers,
): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const bufferOf = (binding: Binding) =>
    binding.kind === "scratch"
      ? scratch.get(binding.name)!
      : { input, uniform, output }[binding.kind];
  checks.forEach(({ runs }, i) => {
    for (const dispatches of placed[i]!) {
      dispatches.forEach(({ ranges }, at) => {
        const { pipeline, dispatch } = runs[at]!;
        const entries = ranges.map(({ binding, range: { offset, size } }) => ({
          binding: binding.binding,
          resource: { buffer: bufferOf(binding), offset, size },
        }));
        const layout = pipeline.getBindGroupLayout(0);
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
        pass.dispatchWorkgroups(...dispatch.workgroups);
      });
    }
  });
  pass.end();
  for (const [name, { ranges }] of layout.scratch) {
    for (const { offset, copyFrom, copy } of ranges) {
      const from = offset + copyFrom * 4;
      encoder.copyBufferToBuffer(scratch.get(name)!, from, output, copy.offset, copy.size);
    }
  }
  encoder.copyBufferToBuffer(output, 0, readback, 0, layout.results.size);
  device.queue.submit([encoder.finish()]);
}

/** Puts the parts of a check's output together, repetition by repetition. */
function collect(
  words: Uint32Array,
  repeats: readonly Placed[][],
  length: number,
): Output {
  let overrun = 0;
  const outputs = repeats.map((dispatches) => {
    // Those that are output are among the slots.
    for (const { output, copy } of new Set(dispatches.flatMap(({ scratch }) => scratch))) {
      if (output === undefined) overrun += overrunWords(wordsOf(words, copy), 0);
    }
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
