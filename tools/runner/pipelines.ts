/**
 * Compiling kernels: each entry point once for each workgroup size.
 *
 * @module
 */
import type { Binding, Dispatch, Kernel } from "../../kernels/kernel.ts";
import { errorScope } from "./error_scope.ts";
import { enabledText } from "./features.ts";
import type { TextPlace, Verdict } from "./verdict.ts";

type CompileError = { readonly verdict: Extract<Verdict, { kind: "error" }> };

/** A pipeline, or the verdict of every check that needs it. */
type Compiled = { readonly pipeline: GPUComputePipeline } | CompileError;

/** A dispatch with the pipeline that runs it. */
export interface Run {
  readonly pipeline: GPUComputePipeline;
  readonly dispatch: Dispatch;
}

/** The pipelines of one device. */
export class Pipelines {
  readonly #device: GPUDevice;
  /** By kernel and not by name: a kernel whose text changed is another one. */
  readonly #compiled = new WeakMap<Kernel, Map<string, Promise<Compiled>>>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** A pipeline for each dispatch, or what every check that needs one of them comes to. */
  async runs(
    kernel: Kernel,
    workgroup: number,
    dispatches: readonly Dispatch[],
  ): Promise<Run[] | CompileError> {
    const runs: Run[] = [];
    for (const dispatch of dispatches) {
      const compiled = await this.#get(dispatch.kernel ?? kernel, workgroup, dispatch);
      if ("verdict" in compiled) return compiled;
      runs.push({ ...compiled, dispatch });
    }
    return runs;
  }

  /** What the recipe binds in a dispatch decides what the text may declare. */
  #get(kernel: Kernel, workgroup: number, dispatch: Dispatch): Promise<Compiled> {
    const { entry = "main", bindings } = dispatch;
    const key = `${workgroup} ${entry}`;
    const ofKernel = this.#compiled.get(kernel) ?? new Map<string, Promise<Compiled>>();
    this.#compiled.set(kernel, ofKernel);
    let compiled = ofKernel.get(key);
    if (!compiled) {
      compiled = compile(this.#device, kernel, workgroup, entry, bindings);
      ofKernel.set(key, compiled);
    }
    return compiled;
  }
}

/**
 * What each kind of binding is to the text. Stated, not inferred from the text ("auto"): a text that
 * declares an input as writable could change what other checks read.
 */
function bufferType(binding: Binding): GPUBufferBindingType {
  switch (binding.kind) {
    case "uniform":
      return "uniform";
    case "input":
      return "read-only-storage";
    case "output":
      return "storage";
    case "scratch":
      return binding.access === "read" ? "read-only-storage" : "storage";
  }
}

async function compile(
  device: GPUDevice,
  kernel: Kernel,
  workgroup: number,
  entryPoint: string,
  bindings: readonly Binding[],
): Promise<Compiled> {
  let pipeline: GPUComputePipeline | undefined;
  let module: GPUShaderModule | undefined;
  const code = await enabledText(device, kernel);
  const problem = await errorScope(device, () => {
    module = device.createShaderModule({ label: kernel.name, code });
    const group = device.createBindGroupLayout({
      entries: bindings.map((one) => ({
        binding: one.binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: bufferType(one) },
      })),
    });
    pipeline = device.createComputePipeline({
      label: kernel.name,
      layout: device.createPipelineLayout({ bindGroupLayouts: [group] }),
      compute: {
        module,
        entryPoint,
        constants: {
          ...kernel.constants,
          ...(kernel.workgroup.kind === "constant" && { [kernel.workgroup.name]: workgroup }),
        },
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
