/**
 * The matrix shapes of Bonsai 1.7B, 4B and 8B, which are Qwen3's.
 *
 * @module
 */

/** One weight matrix: `rows` outputs from `n` inputs. */
export interface MatrixShape {
  readonly rows: number;
  readonly n: number;
}

interface Dimensions {
  readonly hidden: number;
  readonly intermediate: number;
  readonly queryHeads: number;
}

// Qwen3's published configurations: eight key/value heads of 128 in all three.
const MODELS: Record<string, Dimensions> = {
  "1.7B": { hidden: 2048, intermediate: 6144, queryHeads: 16 },
  "4B": { hidden: 2560, intermediate: 9728, queryHeads: 32 },
  "8B": { hidden: 4096, intermediate: 12288, queryHeads: 32 },
};
/** Of rotary positions: the angle of pair d of a head is position · base^(−d / (head / 2)). */
export const ROTARY_BASE = 1_000_000;
/** Values in a head. */
export const HEAD = 128;
/** Heads of keys, and of values. */
export const KEY_VALUE_HEADS = 8;
/** Tokens: logits of one position. */
export const VOCABULARY = 151_936;

/** Values in a hidden state, by model. */
export const HIDDEN: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(MODELS).map(([model, { hidden }]) => [model, hidden]),
);

/** Heads of queries, by model. */
export const QUERY_HEADS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(MODELS).map(([model, { queryHeads }]) => [model, queryHeads]),
);

/** Gates of a feed-forward layer, by model. */
export const INTERMEDIATE: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(MODELS).map(([model, { intermediate }]) => [model, intermediate]),
);

/**
 * The matrices of a model by name. `attn_v` has `attn_k`'s shape and `ffn_up` has `ffn_gate`'s, so
 * each pair stands once.
 */
function matricesOf({ hidden, intermediate, queryHeads }: Dimensions): Record<string, MatrixShape> {
  return {
    attn_q: { rows: queryHeads * HEAD, n: hidden },
    attn_k: { rows: KEY_VALUE_HEADS * HEAD, n: hidden },
    attn_output: { rows: hidden, n: queryHeads * HEAD },
    ffn_gate: { rows: intermediate, n: hidden },
    ffn_down: { rows: hidden, n: intermediate },
    output: { rows: VOCABULARY, n: hidden },
  };
}

/** Shapes by model, then by matrix (`output` is the LM head). */
export const BONSAI: Readonly<Record<string, Readonly<Record<string, MatrixShape>>>> = Object
  .fromEntries(Object.entries(MODELS).map(([model, size]) => [model, matricesOf(size)]));
