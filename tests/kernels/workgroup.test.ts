/** The engine's rule for the workgroup size. */
import { expect } from "expect";
import { workgroupFor } from "../../kernels/workgroup.ts";

const RULE: readonly [vendor: string, subgroup: number | undefined, size: number][] = [
  ["nvidia", 32, 32],
  ["NVIDIA", undefined, 32],
  ["4318", 64, 32],
  ["amd", 32, 64],
  ["4098", 128, 64],
  ["32902", 32, 32],
  ["32902", 28, 32],
  ["65541", 8, 8],
  ["apple", 128, 128],
  ["5045", 136, 64],
  ["6880", 4, 64],
  ["", undefined, 64],
  ["constructor", undefined, 64],
];

for (const [vendor, subgroupMaxSize, size] of RULE) {
  Deno.test(`vendor "${vendor}", subgroups up to ${subgroupMaxSize}: ${size}`, () => {
    expect(workgroupFor({ vendor, subgroupMaxSize })).toBe(size);
  });
}
