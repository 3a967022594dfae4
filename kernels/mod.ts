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
import { q1Rows } from "./q1_rows.ts";
import { q1Split, q1SplitFused } from "./q1_split.ts";
import { q1Tile, q1TileFused } from "./q1_tile.ts";
import { q1Whole, q1WholeFused } from "./q1_whole.ts";
import { q2Dot } from "./q2_dot.ts";
import { q2Lanes } from "./q2_lanes.ts";
import { q2Rows } from "./q2_rows.ts";
import { q2Split, q2SplitFused } from "./q2_split.ts";
import { q2Tile, q2TileFused } from "./q2_tile.ts";
import { q2Whole, q2WholeFused } from "./q2_whole.ts";
import { ternaryPopcountKernel } from "./ternary_popcount.ts";
import { q8Quantize } from "./q8_0_quantize.ts";
import { rmsNormColumns } from "./rms_norm.ts";
import { swigluElements } from "./swiglu.ts";
import { qkNormRopeHeads } from "./qk_norm_rope.ts";
import { ropeKvWriteHeads } from "./rope_kv_write.ts";
import { attentionSplits } from "./attention.ts";
import { rmsNormExactColumns } from "./rms_norm_exact.ts";
import { swigluExactValues } from "./swiglu_exact.ts";
import { ropeExactPairs } from "./rope_exact.ts";
import { softmaxExactColumns } from "./softmax_exact.ts";
import { decodeLayerChain } from "./decode_layer.ts";
import { lmHeadTree } from "./lm_head.ts";
import { q1Lut4 } from "./q1_lut4.ts";
import { q1Project } from "./q1_project.ts";
import { q1ProjectSubgroup } from "./q1_project_subgroup.ts";

export type { Binding, Dispatch, Kernel, Workers, Workgroup } from "./kernel.ts";
export {
  type AlignedBlocks,
  type BlockMajor,
  type BlockMajorCodes,
  packAligned,
  packBlockMajor,
  packBlocks,
  packCodes,
  type PackedBlocks,
} from "./packing.ts";
export { workgroupFor, type WorkgroupHints } from "./workgroup.ts";

/** Every kernel. A new one is added here. */
// deno-lint-ignore no-explicit-any -- kernels of different families stand in one list
export const KERNELS: readonly Kernel<any>[] = [
  q1Dot,
  q1Mm,
  q1Mm4,
  q1Split,
  q1SplitFused,
  q1Whole,
  q1WholeFused,
  q1Tile,
  q1TileFused,
  q1Rows,
  argmaxTree,
  q8Quantize,
  dequantizeRows,
  embedTokens,
  q2Dot,
  q2Lanes,
  q2Split,
  q2SplitFused,
  q2Whole,
  q2WholeFused,
  q2Tile,
  q2TileFused,
  q2Rows,
  ternaryPopcountKernel,
  rmsNormColumns,
  swigluElements,
  qkNormRopeHeads,
  ropeKvWriteHeads,
  attentionSplits,
  rmsNormExactColumns,
  swigluExactValues,
  ropeExactPairs,
  softmaxExactColumns,
  decodeLayerChain,
  q1Project,
  q1Lut4,
  q1ProjectSubgroup,
  lmHeadTree,
];
