/** What a check needs, held against what an adapter offers. */
import { expect } from "expect";
import type { Dispatch } from "../../kernels/kernel.ts";
import { dispatchNeeds, kernelNeeds } from "../../tools/runner/limits.ts";
import { GUARD_WORDS } from "../../tools/runner/poison.ts";
import { kernelNamed } from "../support/faults.ts";

const OFFERED = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 2048,
  maxStorageBuffersPerShaderStage: 3,
  maxStorageBufferBindingSize: 4096,
  maxBufferSize: 8192,
  maxComputeWorkgroupsPerDimension: 100,
};

Deno.test("what fits is not refused", () => {
  expect(kernelNeeds(kernelNamed("Q1_MM4"), 128, OFFERED)).toBeUndefined();
  expect(dispatchNeeds([dispatch({})], OFFERED)).toBeUndefined();
});

Deno.test("a kernel's needs are named with both numbers", () => {
  expect(kernelNeeds(kernelNamed("Q1_MM"), 264, OFFERED)).toBe(
    "needs 264 invocations; the adapter offers 256 (maxComputeInvocationsPerWorkgroup)",
  );
  expect(kernelNeeds(kernelNamed("Q1_MM4"), 136, OFFERED)).toBe(
    "needs 2,176 bytes of workgroup memory; the adapter offers 2,048 " +
      "(maxComputeWorkgroupStorageSize)",
  );
});

/** A dispatch with one input and one output. */
function dispatch(
  { bytes = 4096, words = 8, x = 100, inputs = 1 }: Partial<
    Record<"bytes" | "words" | "x" | "inputs", number>
  >,
): Dispatch {
  return {
    bindings: [
      ...Array.from({ length: inputs }, (_, binding) => ({
        binding,
        kind: "input" as const,
        bytes: new Uint8Array(bytes),
      })),
      { binding: inputs, kind: "output", first: 0, words },
    ],
    workgroups: [x, 1, 1],
  };
}

const REFUSED: readonly [what: Parameters<typeof dispatch>[0], says: RegExp][] = [
  [{ bytes: 4100 }, /4,100 bytes in one binding.*4,096/],
  // The guard is bound with the output.
  [{ words: 1024 - GUARD_WORDS + 1 }, /4,100 bytes in one binding.*4,096/],
  [{ inputs: 2, bytes: 4000 }, /9,056 bytes in one buffer.*8,192/],
  [{ inputs: 3, bytes: 4 }, /4 storage buffers.*3/],
  [{ x: 101 }, /101 workgroups in one dimension.*100/],
];

for (const [what, says] of REFUSED) {
  Deno.test(`a dispatch's need is named: ${JSON.stringify(what)}`, () => {
    expect(dispatchNeeds([dispatch({}), dispatch(what)], OFFERED)).toMatch(says);
  });
}
