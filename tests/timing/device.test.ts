/** Works on a device: what is timed is the kernel, on right inputs. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { Pipelines } from "../../tools/runner/pipelines.ts";
import type { Clock, Work } from "../../tools/timing/clock.ts";
import { kernelWork } from "../../tools/timing/kernel_work.ts";
import { emptyWork, fillWithPattern } from "../../tools/timing/programs.ts";
import { Rotation } from "../../tools/timing/rotation.ts";
import { SlopeClock } from "../../tools/timing/slope.ts";
import { TimestampClock } from "../../tools/timing/timestamps.ts";
import { sameCount, warmUp } from "../../tools/timing/warm_up.ts";
import { kernelNamed } from "../support/faults.ts";
import { testAdapter } from "../support/gpu.ts";

async function words(device: GPUDevice, buffer: GPUBuffer, size: number): Promise<Uint32Array> {
  const readback = device.createBuffer({
    size,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, readback, 0, size);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  return new Uint32Array(readback.getMappedRange().slice(0));
}

function outputBuffer(device: GPUDevice, size: number): GPUBuffer {
  return device.createBuffer({
    size,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
}

/** Works of a kernel, each by its name, on one rotation. */
async function worksOf(
  device: GPUDevice,
  kernelName: string,
  input: unknown,
  out: GPUBuffer,
  names: readonly string[],
): Promise<Work[]> {
  const kernel = kernelNamed(kernelName);
  const runs = await new Pipelines(device).runs(kernel, 64, kernel.prepare(input, 64));
  if ("verdict" in runs) throw new Error(runs.verdict.message);
  const buffer = (size: number, usage: number) => device.createBuffer({ size, usage });
  const on = { device, rotation: new Rotation(device), out, software: true, buffer };
  return names.map((name) => kernelWork(name, runs, on));
}

for (const name of ["Q1_DOT", "Q1_MM", "Q1_MM4"]) {
  Deno.test(`${name} gives the right bits on every copy of its inputs`, async () => {
    const device = await openDevice(await testAdapter());
    const { family, parsed } = caseAt("q1_0_matmul/random:rows=37,n=640,cols=1,seed=7");
    const input = family.input(parsed);
    const out = outputBuffer(device, 37 * 4);
    const [work] = await worksOf(device, name, input, out, [name]);
    const expected = family.reference(input);
    for (const copy of [0, 1, 2, 255, 256]) {
      device.queue.writeBuffer(out, 0, new Uint32Array(37));
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      work!.encode(pass, 1);
      pass.end();
      device.queue.submit([encoder.finish()]);
      expect({ copy, words: await words(device, out, 37 * 4) }).toEqual({ copy, words: expected });
    }
    device.destroy();
  });
}

Deno.test("equal works take the copies of their shared inputs in turn", async () => {
  const device = await openDevice(await testAdapter());
  const { family, parsed } = caseAt("q1_0_matmul/random:rows=37,n=640,cols=1,seed=7");
  const input = family.input(parsed);
  const groups: GPUBindGroup[] = [];
  const make = device.createBindGroup.bind(device);
  device.createBindGroup = (descriptor) => {
    groups.push(make(descriptor));
    return groups.at(-1)!;
  };
  const out = outputBuffer(device, 37 * 4);
  const works = await worksOf(device, "Q1_MM4", input, out, ["A", "B"]);
  const copies = groups.length / works.length;
  const used: number[] = [];
  const pass = {
    setPipeline: () => {},
    setBindGroup: (_: number, group: GPUBindGroup) => used.push(groups.indexOf(group) % copies),
    dispatchWorkgroups: () => {},
  } as unknown as GPUComputePassEncoder;
  // As a warm-up may leave them: one has run more often than the other.
  const runs = [[0, 3], [1, 2], [1, 2], [0, 2]] as const;
  for (const [work, count] of runs) works[work]!.encode(pass, count);
  expect(used).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  device.destroy();
});

Deno.test("the pattern has no zeros to speak of, and no word again", async () => {
  const device = await openDevice(await testAdapter());
  const size = 1 << 20;
  const buffer = outputBuffer(device, size);
  fillWithPattern(device, { buffer, size });
  const found = await words(device, buffer, size);
  // A permutation of all 2^32 words, so that 2^18 places hold 2^18 different ones.
  expect(new Set(found).size).toBe(size / 4);
  const ones = found.reduce((sum, word) => {
    for (let bits = word; bits !== 0; bits &= bits - 1) sum++;
    return sum;
  }, 0);
  expect(Math.abs(ones / (size * 8) - 0.5)).toBeLessThan(0.001);
  device.destroy();
});

const CLOCKS: readonly [string, (device: GPUDevice) => Clock][] = [
  ["timestamps", (device) => new TimestampClock(device)],
  ["slope", (device) => new SlopeClock(device)],
];
for (const [name, clockOn] of CLOCKS) {
  Deno.test(`${name}: one duration for each entry, and what the GPU refuses is an error`, async () => {
    const device = await openDevice(await testAdapter());
    const clock = clockOn(device);
    const empty = emptyWork(device, outputBuffer(device, 4));
    const entries = Array.from({ length: 3 }, () => ({ work: empty, count: 50 }));
    expect((await clock.measure(entries)).length).toBe(3);
    const refused: Work = { name: "refused", encode: (pass) => pass.dispatchWorkgroups(1) };
    await expect(clock.measure([{ work: refused, count: 1 }])).rejects.toMatchObject({
      name: "BatchError",
    });
    device.destroy();
  });
}

/** A clock for which every run takes so many nanoseconds. */
const LEAST_NS = 1e5;
function steady(ns: number): Clock {
  return {
    kind: "timestamps",
    measure: (entries) => Promise.resolve(entries.map(({ count }) => count * ns)),
    floor: () => Promise.resolve(0),
    shortest: () => LEAST_NS,
    cost: (ns) => ns,
  };
}
const nothing: Work = { name: "nothing", encode: () => {} };

Deno.test("a kernel too short for the clock is repeated until it can be told", async () => {
  const warm = await warmUp(steady(7), nothing, 0, true);
  expect(warm.count * 7).toBeGreaterThanOrEqual(LEAST_NS);
  expect((await warmUp(steady(2e5), nothing, 0, true)).count).toBe(1);
});

Deno.test("works that are compared run equally often in a sample", async () => {
  const [fast, slow] = [
    await warmUp(steady(1e3), nothing, 0, true),
    await warmUp(steady(3e3), nothing, 0, true),
  ];
  expect(fast!.count).not.toBe(slow!.count);
  const [a, b] = sameCount([fast!, slow!]);
  expect([a!.count, b!.count]).toEqual([fast!.count, fast!.count]);
  expect([a!.ns / a!.count, b!.ns / b!.count]).toEqual([1e3, 3e3]);
});

Deno.test("what takes no time at all is said to", async () => {
  await expect(warmUp(steady(0), nothing, 0, true)).rejects.toThrow(
    /Cannot time nothing: 65,536 runs of it take less time than the clock can tell/,
  );
});
