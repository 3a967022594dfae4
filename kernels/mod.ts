/**
 * What runs on the GPU: every kernel, its text and its recipe.
 *
 * @module
 */
import { argmaxTree } from "./argmax.ts";
import { dequantizeRows, embedTokens } from "./packed_rows.ts";
import type { Kernel } from "./kernel.ts";
import { q1Dot } from "./q1_dot.ts";
import { q1Mm } from "./q1_mm.ts";
import { q1Mm4 } from "./q1_mm4.ts";
import { q2Dot } from "./q2_dot.ts";
import { q2Lanes } from "./q2_lanes.ts";
import { ternaryPopcountKernel } from "./ternary_popcount.ts";
import { q8Quantize } from "./q8_0_quantize.ts";
import { rmsNormColumns } from "./rms_norm.ts";
import { lmHeadTree } from "./lm_head.ts";
import { q1Lut4 } from "./q1_lut4.ts";
import { q1Project } from "./q1_project.ts";
import { q1ProjectSubgroup } from "./q1_project_subgroup.ts";

export type { Binding, Dispatch, Kernel, Workers, Workgroup } from "./kernel.ts";
export { type AlignedBlocks, packAligned, packBlocks, type PackedBlocks } from "./packing.ts";
export { workgroupFor, type WorkgroupHints } from "./workgroup.ts";

/** Every kernel. A new one is added here. */
// deno-lint-ignore no-explicit-any -- kernels of different families stand in one list
export const KERNELS: readonly Kernel<any>[] = [
  q1Dot,
  q1Mm,
  q1Mm4,
  argmaxTree,
  q8Quantize,
  dequantizeRows,
  embedTokens,
  q2Dot,
  q2Lanes,
  ternaryPopcountKernel,
  rmsNormColumns,
  q1Project,
  q1Lut4,
  q1ProjectSubgroup,
  lmHeadTree,
];
