/**
 * Running a probe kernel.
 *
 * @module
 */
import { errorScope } from "../runner/error_scope.ts";

/** A buffer of a dispatch, with what stands in it before. */
export type ProbeBuffer =
  | { readonly kind: "input" | "uniform"; readonly words: Uint32Array }
  | {
    readonly kind: "output";
    readonly words: Uint32Array;
    /** Words that the kernel may see; the others are a guard behind them. Default: all. */
    readonly bound?: number;
  };

/** A text, its buffers in the order of their bindings, and its workgroups in x. */
export interface ProbeRun {
  readonly text: string;
  readonly buffers: readonly ProbeBuffer[];
  readonly workgroups: number;
  /** Times that it is dispatched in a row. Default 1. */
  readonly times?: number;
}

const USAGE = { input: 0x80, uniform: 0x40, output: 0x80 | 0x4 }; // STORAGE, UNIFORM, COPY_SRC

/** The words of each output buffer afterwards, or why there are none. */
export async function runProbe(
  device: GPUDevice,
  { text, buffers, workgroups, times = 1 }: ProbeRun,
): Promise<Uint32Array[] | string> {
  const made: GPUBuffer[] = [];
  const readbacks: GPUBuffer[] = [];
  const problem = await errorScope(device, () => {
    const pipeline = device.createComputePipeline({
      layout: "auto",
      compute: { module: device.createShaderModule({ code: text }), entryPoint: "main" },
    });
    for (const { kind, words } of buffers) made.push(filled(device, USAGE[kind], words));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = buffers.map((one, binding) => ({
      binding,
      resource: {
        buffer: made[binding]!,
        ...(one.kind === "output" && one.bound !== undefined && { size: 4 * one.bound }),
      },
    }));
    pass.setBindGroup(
      0,
      device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }),
    );
    for (let i = 0; i < times; i++) pass.dispatchWorkgroups(workgroups);
    pass.end();
    buffers.forEach(({ kind, words }, i) => {
      if (kind !== "output") return;
      const readback = device.createBuffer({
        size: words.byteLength,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
      });
      readbacks.push(readback);
      encoder.copyBufferToBuffer(made[i]!, 0, readback, 0, words.byteLength);
    });
    device.queue.submit([encoder.finish()]);
  });
  try {
    if (problem !== undefined) return problem.trim().split("\n")[0]!;
    await Promise.all(readbacks.map((readback) => readback.mapAsync(GPUMapMode.READ)));
    return readbacks.map((readback) => new Uint32Array(readback.getMappedRange()).slice());
  } finally {
    for (const buffer of [...made, ...readbacks]) buffer.destroy();
  }
}

function filled(device: GPUDevice, usage: number, words: Uint32Array): GPUBuffer {
  const buffer = device.createBuffer({ size: words.byteLength, usage, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set(words);
  buffer.unmap();
  return buffer;
}
