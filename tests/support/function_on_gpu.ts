/**
 * A function of a shader text, applied to many pairs of words on the adapter under test.
 *
 * @module
 */
import { openDevice } from "../../tools/runner/adapter.ts";
import { testAdapter } from "./gpu.ts";

/**
 * @param text of a kernel whose uniform may be all zeros
 * @param call an expression of `a` and `b`, both u32, that is a u32
 * @param pairs a, b, a, b, …
 */
export async function onGpu(text: string, call: string, pairs: Uint32Array): Promise<Uint32Array> {
  const device = await openDevice(await testAdapter());
  const code = `${text.slice(0, text.indexOf("@compute"))}
@group(1) @binding(0) var<storage, read> pairs: array<vec2<u32>>;
@group(1) @binding(1) var<storage, read_write> results: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&results)) {
    let a = pairs[id.x].x;
    let b = pairs[id.x].y;
    results[id.x] = (${call}) | p.zero; // so that the text has its uniform
  }
}`;
  const count = pairs.length / 2;
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffer = (size: number, usage: number) => device.createBuffer({ size, usage });
  const input = buffer(pairs.byteLength, STORAGE | COPY_DST);
  const output = buffer(4 * count, STORAGE | COPY_SRC);
  const readback = buffer(4 * count, MAP_READ | COPY_DST);
  const uniform = buffer(64, UNIFORM); // the hidden zero among its zeros
  device.queue.writeBuffer(input, 0, new Uint32Array(pairs));
  const pipeline = device.createComputePipeline({
    layout: "auto",
    compute: { module: device.createShaderModule({ code }) },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const group = (index: number, entries: GPUBindGroupEntry[]) =>
    pass.setBindGroup(
      index,
      device.createBindGroup({ layout: pipeline.getBindGroupLayout(index), entries }),
    );
  const zeroAt = Number(/@binding\((\d+)\) var<uniform>/.exec(text)![1]);
  group(0, [{ binding: zeroAt, resource: { buffer: uniform } }]);
  group(1, [
    { binding: 0, resource: { buffer: input } },
    { binding: 1, resource: { buffer: output } },
  ]);
  pass.dispatchWorkgroups(Math.ceil(count / 64));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, readback, 0, 4 * count);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(readback.getMappedRange()).slice();
  device.destroy();
  return words;
}
