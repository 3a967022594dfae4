/**
 * The buffers of a batch, filled.
 *
 * @module
 */
import type { Prepared } from "./batch.ts";
import type { Layout, Placed, Range } from "./layout.ts";
import { poison } from "./poison.ts";

export interface BatchBuffers {
  readonly input: GPUBuffer;
  readonly uniform: GPUBuffer;
  /** All results. */
  readonly output: GPUBuffer;
  /** By name. */
  readonly scratch: ReadonlyMap<string, GPUBuffer>;
  /** As long as the results. */
  readonly readback: GPUBuffer;
  /** Every one of them. */
  readonly all: readonly GPUBuffer[];
}

/**
 * Makes them; inputs and uniforms are in their places, all that is to be written is poisoned, or begins
 * as its binding says.
 */
export function makeBuffers(
  device: GPUDevice,
  layout: Layout,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
): BatchBuffers {
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  // Never through mappedAtCreation: Deno's getMappedRange first reads the memory, which took 1.4 s
  // for 39 MB on an H200 where writeBuffer took 10 ms.
  const filled = (usage: number, content: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) => {
    const buffer = device.createBuffer({ size: content.byteLength, usage: usage | COPY_DST });
    // Kernels may have no uniform; Deno 2.9.6 panics where nothing is written.
    if (content.byteLength > 0) device.queue.writeBuffer(buffer, 0, content);
    return buffer;
  };
  const input = filled(STORAGE, inputBytes(layout));
  const uniform = filled(UNIFORM, uniformBytes(layout, placed));
  const output = filled(STORAGE | COPY_SRC, poisonedSlots(layout, checks, placed));
  const scratch = new Map(
    [...layout.scratch].map(([name, { arena }]) =>
      [
        name,
        filled(STORAGE | COPY_SRC, poisonedScratch(arena.size, name, checks, placed)),
      ] as const
    ),
  );
  const readback = device.createBuffer({ size: layout.results.size, usage: MAP_READ | COPY_DST });
  const all = [input, uniform, output, ...scratch.values(), readback];
  return { input, uniform, output, scratch, readback, all };
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
      const held = wordsOf(words, slot);
      poison(held, expected.subarray(slot.first, slot.first + slot.words));
      if (slot.initial) held.set(slot.initial.subarray(0, slot.words));
    }
  });
  return words;
}

/** A range of the results, in words. */
export function wordsOf(words: Uint32Array, { offset, size }: Range): Uint32Array {
  return words.subarray(offset / 4, (offset + size) / 4);
}

/**
 * Nothing is known of what a kernel will leave there: a word not written is no number. Where it is
 * output, the golden is known.
 */
function poisonedScratch(
  bytes: number,
  name: string,
  checks: readonly Prepared[],
  placed: readonly Placed[][][],
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(bytes / 4);
  poison(words, new Uint32Array(0));
  checks.forEach(({ expected }, i) => {
    for (const { binding, range } of placed[i]!.flat().flatMap(({ ranges }) => ranges)) {
      if (binding.kind !== "scratch" || binding.name !== name) continue;
      if (binding.output === undefined) continue;
      const { output, words: count } = binding;
      poison(wordsOf(words, range), expected.subarray(output, output + count));
    }
  });
  return words;
}
