/**
 * Where the output of `decode_layer` holds what each step gives.
 *
 * The output is one column: for each token its steps in their order, then the cache of keys and that of
 * values as they are at the end. So the first row that differs is in the first step that went wrong, or,
 * where that wrote into the cache, in the first one that read it.
 *
 * @module
 */
import type { OutputPart } from "../family.ts";

/** The sizes of a layer and of its cases. */
export interface LayerShape {
  readonly hidden: number;
  readonly intermediate: number;
  /** Query heads. */
  readonly heads: number;
  /** Heads of keys and values. */
  readonly kvHeads: number;
  /** Values in a head. */
  readonly head: number;
  /** Positions that the cache holds before the first token. */
  readonly context: number;
  /** Tokens, one after the other: each reads what the ones before it wrote into the cache. */
  readonly tokens: number;
}

/** A part of the output. */
export interface Step {
  /** As `keys`, `values`, or `softmax 1` for that of the second token. */
  readonly name: string;
  readonly first: number;
  readonly words: number;
}

/** Words of n values as q8_0 blocks; n is a multiple of 64. */
const quants = (n: number) => n / 32 * 34 / 4;

/** Words of each step of a token. */
function tokenSteps(shape: LayerShape, token: number): readonly (readonly [string, number])[] {
  const { hidden, intermediate, heads, kvHeads, head, context } = shape;
  const [query, key] = [heads * head, kvHeads * head];
  const length = context + token + 1;
  return [
    ["attn_norm", hidden],
    ["attn_quants", quants(hidden)],
    ["attn_q", query],
    ["attn_k", key],
    ["attn_v", key],
    ["attn_q_norm", query],
    ["rope_q", query],
    ["attn_k_norm", key],
    ["rope_k", key],
    ["scores", heads * length],
    ["softmax", heads * length],
    ["mix", query],
    ["mix_quants", quants(query)],
    ["attn_output", hidden],
    ["attn_residual", hidden],
    ["ffn_norm", hidden],
    ["ffn_quants", quants(hidden)],
    ["ffn_gate", intermediate],
    ["ffn_up", intermediate],
    ["swiglu", intermediate],
    ["swiglu_quants", quants(intermediate)],
    ["ffn_down", hidden],
    ["ffn_residual", hidden],
  ];
}

/** All parts of the output, one after the other. */
export function layerSteps(shape: LayerShape): readonly Step[] {
  const cache = (shape.context + shape.tokens) * shape.kvHeads * shape.head;
  const sizes: (readonly [string, number])[] = [];
  for (let token = 0; token < shape.tokens; token++) {
    for (const [name, words] of tokenSteps(shape, token)) sizes.push([`${name} ${token}`, words]);
  }
  sizes.push(["keys", cache], ["values", cache]);
  let first = 0;
  return sizes.map(([name, words]) => {
    const step = { name, first, words };
    first += words;
    return step;
  });
}

/** The part that a row of the output is in: bytes of q8_0 blocks, or f32. */
export function stepAt(shape: LayerShape, row: number): OutputPart {
  const { name, first } = layerSteps(shape).findLast(({ first }) => first <= row)!;
  return { name, at: row - first, words: name.includes("_quants") ? "u32" : "f32" };
}
