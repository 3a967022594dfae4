/**
 * Many checks in one command buffer, with one readback: each awaited completion costs about 11 ms
 * in Deno, whatever was computed.
 *
 * @module
 */
import type { Binding } from "../../kernels/kernel.ts";
import type { Output } from "./compare.ts";
import { errorScope } from "./error_scope.ts";
import { Layout, type Placed, type ScratchRange, type Slot } from "./layout.ts";
import type { Run } from "./pipelines.ts";
import { GUARD_WORDS, overrunWords, poison } from "./poison.ts";

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
  const buffers: GPUBuffer[] = [];
  try {
    const problem = await errorScope(device, () => {
      buffers.push(...encode(device, layout, checks, placed));
    });
    if (problem !== undefined) throw new BatchError(problem);
    const readback = buffers.at(-1)!;
    await readback.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(readback.getMappedRange());
    const guards = guardsOf(layout, words.subarray(layout.results.size / 4));
    return checks.map(({ expected }, i) => collect(words, guards, placed[i]!, expected.length));
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
  const scratch = new Map(
    [...layout.scratch].map((
      [name, { arena }],
    ) => [name, make(arena.size, STORAGE | COPY_SRC | COPY_DST)]),
  );
  const guardBytes = GUARD_WORDS * 4;
  const scratchRanges = [...layout.scratch].flatMap(([name, { ranges }]) =>
    ranges.map((range) => ({ buffer: scratch.get(name)!, range }))
  );
  const readback = make(
    layout.results.size + scratchRanges.length * guardBytes,
    MAP_READ | COPY_DST,
  );

  // Never through mappedAtCreation: Deno's getMappedRange first reads the memory, which took 1.4 s
  // for 39 MB on an H200 where writeBuffer took 10 ms.
  device.queue.writeBuffer(inputs, 0, inputBytes(layout));
  // Kernels may have no uniform; Deno 2.9.6 panics where nothing is written.
  if (layout.uniforms.size > 0) {
    device.queue.writeBuffer(uniforms, 0, uniformBytes(layout, placed));
  }
  device.queue.writeBuffer(results, 0, poisonedSlots(layout, checks, placed));
  for (const [name, { arena }] of layout.scratch) {
    const words = new Uint32Array(arena.size / 4);
    poison(words, new Uint32Array(0));
    device.queue.writeBuffer(scratch.get(name)!, 0, words);
  }

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const buffers = { input: inputs, uniform: uniforms, output: results };
  const bufferOf = (binding: Binding) =>
    binding.kind === "scratch" ? scratch.get(binding.name)! : buffers[binding.kind];
  checks.forEach(({ runs }, i) => {
    for (const dispatches of placed[i]!) {
      dispatches.forEach(({ ranges }, at) => {
        const { pipeline, dispatch } = runs[at]!;
        const entries = ranges.map(({ binding, range }) => ({
          binding: binding.binding,
          resource: { buffer: bufferOf(binding), ...range },
        }));
        const layout = pipeline.getBindGroupLayout(0);
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
        pass.dispatchWorkgroups(...dispatch.workgroups);
      });
    }
  });
  pass.end();
  encoder.copyBufferToBuffer(results, 0, readback, 0, layout.results.size);
  scratchRanges.forEach(({ buffer, range: { offset, words } }, i) => {
    const to = layout.results.size + i * guardBytes;
    encoder.copyBufferToBuffer(buffer, offset + words * 4, readback, to, guardBytes);
  });
  device.queue.submit([encoder.finish()]);
  return [inputs, uniforms, results, ...scratch.values(), readback];
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

/** Words written behind each scratch buffer. @param words all guards, one after the other */
function guardsOf(layout: Layout, words: Uint32Array): Map<ScratchRange, number> {
  const ranges = [...layout.scratch.values()].flatMap((one) => one.ranges);
  return new Map(ranges.map((range, i) => {
    const guard = words.subarray(i * GUARD_WORDS, (i + 1) * GUARD_WORDS);
    return [range, overrunWords(guard, 0)];
  }));
}

/** Puts the parts of a check's output together, repetition by repetition. */
function collect(
  words: Uint32Array,
  guards: ReadonlyMap<ScratchRange, number>,
  repeats: readonly Placed[][],
  length: number,
): Output {
  let overrun = 0;
  const outputs = repeats.map((dispatches) => {
    for (const range of new Set(dispatches.flatMap(({ scratch }) => scratch))) {
      overrun += guards.get(range)!;
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
