/**
 * Compiling kernels, each once for each workgroup size.
 *
 * @module
 */
import type { Binding, Kernel } from "../../kernels/kernel.ts";
import { errorScope } from "./error_scope.ts";
import type { TextPlace, Verdict } from "./verdict.ts";

/** A pipeline, or the verdict of every check that needs it. */
export type Compiled =
  | { readonly pipeline: GPUComputePipeline }
  | { readonly verdict: Extract<Verdict, { kind: "error" }> };

/** The pipelines of one device. */
export class Pipelines {
  readonly #device: GPUDevice;
  /** By kernel and not by name: a kernel whose text changed is another one. */
  readonly #compiled = new WeakMap<Kernel, Map<number, Promise<Compiled>>>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** @param bindings of a dispatch: what the recipe binds decides what the text may declare */
  get(kernel: Kernel, workgroup: number, bindings: readonly Binding[]): Promise<Compiled> {
    const sizes = this.#compiled.get(kernel) ?? new Map<number, Promise<Compiled>>();
    this.#compiled.set(kernel, sizes);
    let compiled = sizes.get(workgroup);
    if (!compiled) {
      compiled = compile(this.#device, kernel, workgroup, bindings);
      sizes.set(workgroup, compiled);
    }
    return compiled;
  }
}

/**
 * What each kind of binding is to the text. Stated, not inferred from the text ("auto"): a text that
 * declares an input as writable could change what other checks read.
 */
const BUFFER_TYPES: Readonly<Record<Binding["kind"], GPUBufferBindingType>> = {
  input: "read-only-storage",
  uniform: "uniform",
  output: "storage",
};

async function compile(
  device: GPUDevice,
  kernel: Kernel,
  workgroup: number,
  bindings: readonly Binding[],
): Promise<Compiled> {
  let pipeline: GPUComputePipeline | undefined;
  let module: GPUShaderModule | undefined;
  const problem = await errorScope(device, () => {
    module = device.createShaderModule({ label: kernel.name, code: kernel.text });
    const group = device.createBindGroupLayout({
      entries: bindings.map(({ binding, kind }) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: BUFFER_TYPES[kind] },
      })),
    });
    pipeline = device.createComputePipeline({
      label: kernel.name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [group] }),
      compute: {
        module,
        entryPoint: "main",
        ...(kernel.workgroup.kind === "constant" && {
          constants: { [kernel.workgroup.name]: workgroup },
        }),
      },
    });
  });
  if (problem === undefined) return { pipeline: pipeline! };
  const { messages } = await module!.getCompilationInfo();
  const first = messages.find((message) => message.type === "error");
  return {
    verdict: {
      kind: "error",
      ran: false,
      message: `${kernel.name} does not compile: ${firstLine(first?.message ?? problem)}`,
      ...(first && { place: placeOf(kernel, first) }),
    },
  };
}

function placeOf(kernel: Kernel, { lineNum, linePos }: GPUCompilationMessage): TextPlace {
  return {
    file: kernel.file,
    line: lineNum,
    column: linePos,
    source: kernel.text.split(/\r?\n/)[lineNum - 1] ?? "",
  };
}

/** Compilers print excerpts of the text below their message; the place says it better. */
function firstLine(message: string): string {
  return message.trim().split("\n")[0]!;
}
