/**
 * What a check needs of an adapter, held against what it offers.
 *
 * @module
 */
import type { Dispatch, Kernel } from "../../kernels/kernel.ts";
import { GUARD_WORDS } from "./poison.ts";

type Limits = Readonly<Record<string, number>> | GPUSupportedLimits;

interface Need {
  readonly what: string;
  readonly limit: string;
  readonly value: number;
}

/** Why the adapter cannot compile the kernel at this size, or `undefined`. */
export function kernelNeeds(kernel: Kernel, workgroup: number, limits: Limits): string | undefined {
  const wrongSize = wrongWorkgroup(kernel, workgroup);
  if (wrongSize) return wrongSize;
  return firstAbove(limits, [
    { what: "invocations", limit: "maxComputeInvocationsPerWorkgroup", value: workgroup },
    { what: "invocations in x", limit: "maxComputeWorkgroupSizeX", value: workgroup },
    {
      what: "bytes of workgroup memory",
      limit: "maxComputeWorkgroupStorageSize",
      value: kernel.workgroupBytes(workgroup),
    },
  ]);
}

/** Why the adapter cannot run these dispatches, or `undefined`. */
export function dispatchNeeds(dispatches: readonly Dispatch[], limits: Limits): string | undefined {
  for (const { bindings, workgroups } of dispatches) {
    const storage = bindings.filter((one) => one.kind !== "uniform");
    const bytes = storage.map((binding) =>
      binding.kind === "input" ? binding.bytes.byteLength : (binding.words + GUARD_WORDS) * 4
    );
    const reason = firstAbove(limits, [
      {
        what: "storage buffers",
        limit: "maxStorageBuffersPerShaderStage",
        value: storage.length,
      },
      {
        what: "bytes in one binding",
        limit: "maxStorageBufferBindingSize",
        value: Math.max(...bytes),
      },
      {
        what: "bytes in one buffer",
        limit: "maxBufferSize",
        value: bytes.reduce((sum, size) => sum + size, 0),
      },
      {
        what: "workgroups in one dimension",
        limit: "maxComputeWorkgroupsPerDimension",
        value: Math.max(...workgroups),
      },
    ]);
    if (reason) return reason;
  }
  return undefined;
}

function wrongWorkgroup(kernel: Kernel, workgroup: number): string | undefined {
  const { workgroup: rule } = kernel;
  if (rule.kind === "constant" && workgroup % rule.step !== 0) {
    return `needs a workgroup size that is a multiple of ${rule.step}, not ${workgroup}`;
  }
  return undefined;
}

function firstAbove(limits: Limits, needs: readonly Need[]): string | undefined {
  for (const { what, limit, value } of needs) {
    const offered = (limits as Record<string, number>)[limit];
    if (offered !== undefined && value > offered) {
      const number = (n: number) => n.toLocaleString("en-US");
      return `needs ${number(value)} ${what}; the adapter offers ${number(offered)} (${limit})`;
    }
  }
  return undefined;
}
