/**
 * The input of `decode_layer`: a layer's weights, its cache, and the tokens that enter it.
 *
 * @module
 */
import { scoreScale } from "../../reference/attention_exact.ts";
import type { LayerMatrix, LayerNorm } from "../../reference/decode_layer.ts";
import { rotaryTable } from "../../reference/rotary.ts";
import { BlockWriter, Q1_BLOCK } from "../q1_0_matmul/input.ts";
import { mulberry32, type Random } from "../random.ts";
import { EPSILON } from "../rms_norm_exact/family.ts";
import { VALUES, weightFill } from "../rms_norm/fills.ts";
import { ROTARY_BASE } from "../bonsai.ts";
import { f32Word, f32Words } from "../tame_words.ts";
import type { LayerShape } from "./steps.ts";

export type { LayerMatrix, LayerNorm };

/** A layer and what enters it. */
export interface LayerInput extends LayerShape {
  /** Q1_0 blocks, row after row. */
  readonly matrices: Readonly<Record<LayerMatrix, Uint8Array>>;
  /** f32 bits. */
  readonly norms: Readonly<Record<LayerNorm, Uint32Array>>;
  /** f32 bits. */
  readonly epsilon: number;
  /** f32 bits of a hidden state for each token. */
  readonly x: readonly Uint32Array[];
  /** f32 bits of `context` positions: by position, then head. */
  readonly keys: Uint32Array;
  /** As `keys`. */
  readonly values: Uint32Array;
  /** f32 bits at position · head / 2 + d, for all positions. */
  readonly cos: Uint32Array;
  readonly sin: Uint32Array;
  /** f32 bits of what scores are multiplied by. */
  readonly scale: number;
}

/** Rows and columns of the matrices, in the order in which they are drawn. */
export function matrixShapes(
  { hidden, intermediate, heads, kvHeads, head }: LayerShape,
): Record<LayerMatrix, { readonly rows: number; readonly n: number }> {
  return {
    attn_q: { rows: heads * head, n: hidden },
    attn_k: { rows: kvHeads * head, n: hidden },
    attn_v: { rows: kvHeads * head, n: hidden },
    attn_output: { rows: hidden, n: heads * head },
    ffn_gate: { rows: intermediate, n: hidden },
    ffn_up: { rows: intermediate, n: hidden },
    ffn_down: { rows: hidden, n: intermediate },
  };
}

/** Scales from 2^-5 to 2^-4: a row of some hundreds or thousands of signs gives about what it is given. */
function drawMatrix(random: Random, { rows, n }: { rows: number; n: number }): Uint8Array {
  const writer = new BlockWriter(rows * n / 128 * Q1_BLOCK);
  for (let block = 0; block < rows * n / 128; block++) {
    writer.half((10 << 10) | (random() & 1023));
    for (let i = 0; i < 16; i += 4) {
      const signs = random();
      for (let shift = 0; shift < 32; shift += 8) writer.byte(signs >>> shift);
    }
  }
  return writer.bytes;
}

/** All that enters is a number, so that no step is asked what its own family asks already. */
export function drawLayer(shape: LayerShape, seed: number): LayerInput {
  const { hidden, kvHeads, head, context, tokens } = shape;
  const random = mulberry32(seed);
  const words = (count: number, draw: (i: number) => number) =>
    Uint32Array.from({ length: count }, (_, i) => f32Word(draw(i)));
  const norm = (n: number) => words(n, () => weightFill(random));
  const matrices = Object.fromEntries(
    Object.entries(matrixShapes(shape)).map(([name, one]) => [name, drawMatrix(random, one)]),
  ) as Record<LayerMatrix, Uint8Array>;
  const state = VALUES.hidden!;
  const cached = () => words(context * kvHeads * head, (i) => state(random, i, hidden));
  const table = rotaryTable(ROTARY_BASE, head / 2, 0, context + tokens);
  return {
    ...shape,
    matrices,
    norms: {
      attn_norm: norm(hidden),
      attn_q_norm: norm(head),
      attn_k_norm: norm(head),
      ffn_norm: norm(hidden),
    },
    epsilon: EPSILON,
    x: Array.from({ length: tokens }, () => words(hidden, (i) => state(random, i, hidden))),
    keys: cached(),
    values: cached(),
    cos: f32Words(table.cos),
    sin: f32Words(table.sin),
    scale: f32Word(scoreScale(head)),
  };
}
