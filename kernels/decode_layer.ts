/**
 * DECODE_LAYER: a layer of a decode step, chained: most steps are the texts of their families' kernels.
 *
 * @module
 */
import type { LayerInput } from "../cases/decode_layer/input.ts";
import type { Kernel } from "./kernel.ts";
import { LayerRecipe } from "./decode_layer_recipe.ts";
import text from "./decode_layer.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Every step's result is a scratch buffer and a part of the output (`cases/decode_layer/steps.ts`). */
export const decodeLayerChain: Kernel<LayerInput> = {
  name: "DECODE_LAYER",
  family: "decode_layer",
  file: "kernels/decode_layer.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  // Two words an invocation in SOFTMAX_EXACT.
  workgroupBytes: (workgroup) => 2 * 4 * workgroup,
  // The most of its steps: Q1_DOT's 15 a block of its longest row, or a softmax of all positions; see
  // there.
  rounds: ({ hidden, intermediate, heads, head, context, tokens }) =>
    Math.max(
      15 * Math.max(hidden, intermediate, heads * head) / 128,
      29 * Math.ceil((context + tokens) / 64) + 12,
      context + tokens,
    ),
  prepare: (input) => {
    const recipe = new LayerRecipe(input);
    recipe.loadCache();
    for (let token = 0; token < input.tokens; token++) recipe.token(token);
    return recipe.dispatches;
  },
};
