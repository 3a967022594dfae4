/**
 * The small kernels of the measuring itself.
 *
 * @module
 */
import type { Work } from "./clock.ts";
import arithmeticText from "./arithmetic.wgsl" with { type: "text" };
import emptyText from "./empty.wgsl" with { type: "text" };
import patternText from "./pattern.wgsl" with { type: "text" };
import readText from "./read.wgsl" with { type: "text" };

/** Invocations in a workgroup of each. */
const WORKGROUP = 256;
/** Workgroups that fill any device there is a few times over. */
const ARITHMETIC_GROUPS = 1024;
const PATTERN_GROUPS = 4096;
/** Float and integer operations of an invocation: 128 rounds of 8. */
const ARITHMETIC_OPERATIONS = 128 * 8;

/** Bytes that the output of `groups` workgroups takes. */
export function outputBytes(groups: number): number {
  return groups * WORKGROUP * 4;
}

/** Bytes of output that every work here can do with. */
export const OUTPUT_BYTES: number = outputBytes(ARITHMETIC_GROUPS);

/** Operations in one run of {@linkcode arithmeticWork}. */
export const ARITHMETIC_RUN: number = ARITHMETIC_GROUPS * WORKGROUP * ARITHMETIC_OPERATIONS;

/** Does nothing: what is timed then is the floor. */
export function emptyWork(device: GPUDevice, out: GPUBuffer): Work {
  return work(device, "an empty kernel", emptyText, [{ buffer: out, size: 4 }], 1);
}

/** @param out at least {@linkcode OUTPUT_BYTES} */
export function arithmeticWork(device: GPUDevice, out: GPUBuffer): Work {
  const binding = { buffer: out, size: OUTPUT_BYTES };
  return work(device, "the arithmetic kernel", arithmeticText, [binding], ARITHMETIC_GROUPS);
}

/** @param out at least {@linkcode outputBytes} of the groups */
export function readWork(
  device: GPUDevice,
  data: GPUBufferBinding,
  out: GPUBuffer,
  groups = ARITHMETIC_GROUPS,
): Work {
  const bindings = [data, { buffer: out, size: outputBytes(groups) }];
  return work(device, "the bandwidth read", readText, bindings, groups);
}

/** Fills a buffer with an incompressible pattern: an untouched one is never fetched from memory. */
export function fillWithPattern(device: GPUDevice, data: GPUBufferBinding): void {
  const fill = work(device, "the pattern", patternText, [data], PATTERN_GROUPS);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  fill.encode(pass, 1);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

function work(
  device: GPUDevice,
  name: string,
  code: string,
  bindings: readonly GPUBufferBinding[],
  groups: number,
): Work {
  const module = device.createShaderModule({ label: name, code });
  const pipeline = device.createComputePipeline({
    label: name,
    layout: "auto",
    compute: { module, entryPoint: "main" },
  });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: bindings.map((resource, binding) => ({ binding, resource })),
  });
  return {
    name,
    encode: (pass, count) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let i = 0; i < count; i++) pass.dispatchWorkgroups(groups);
    },
  };
}
