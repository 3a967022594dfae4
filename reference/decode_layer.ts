/**
 * One layer of a decode step, composed of this room's functions: what each step gives is seen.
 *
 * Source: a layer of Qwen3, with Q1_0 weights and q8_0 activations.
 *
 * @module
 */

import { type AttentionShape, mixExact, scoresExact } from "./attention_exact.ts";
import { bitsOfF32 } from "./f32.ts";
import { matmulQ1_0 } from "./q1_0.ts";
import { quantizeQ8_0 } from "./quantize_q8_0.ts";
import { rmsNormExact } from "./rms_norm_exact.ts";
import { ropeExact } from "./rope_exact.ts";
import { softmaxExact } from "./softmax_exact.ts";
import { swigluExact } from "./swiglu_exact.ts";
import { addTame, tame } from "./tame.ts";

/** The matrices of a layer by ggml's names, as Q1_0 blocks. */
export type LayerMatrix =
  | "attn_q"
  | "attn_k"
  | "attn_v"
  | "attn_output"
  | "ffn_gate"
  | "ffn_up"
  | "ffn_down";

/** The weights of norms by ggml's names: of a hidden state, or of a head where `_q_` or `_k_` says so. */
export type LayerNorm = "attn_norm" | "attn_q_norm" | "attn_k_norm" | "ffn_norm";

/** What a layer has, and the token that it is given. */
export interface LayerToken extends AttentionShape {
  /** By name. */
  readonly matrices: Readonly<Record<LayerMatrix, Uint8Array>>;
  /** By name; of `hidden` or `head` values. */
  readonly norms: Readonly<Record<LayerNorm, Float32Array>>;
  /** Of every norm. */
  readonly epsilon: number;
  /** What enters the layer. */
  readonly x: Float32Array;
  /** The token's place in the cache, and so in the context. */
  readonly position: number;
  /** head / 2 cosines of this position. */
  readonly cos: Float32Array;
  /** Its sines. */
  readonly sin: Float32Array;
  /** By position, then head; this token's place is written. */
  readonly keys: Float32Array;
  /** As `keys`. */
  readonly values: Float32Array;
}

/**
 * Order: that of each step's own function.
 *
 * @param see what a step gives, as f32 bits or as bytes of q8_0 blocks in words; in order
 * @returns what leaves the layer
 */
export function decodeLayer(
  token: LayerToken,
  see: (step: string, words: Uint32Array) => void,
): Float32Array {
  const seen = (step: string, values: Float32Array): Float32Array => {
    see(step, Uint32Array.from(values, bitsOfF32));
    return values;
  };
  const norm = (step: string, x: Float32Array, weight: Float32Array) =>
    seen(step, perHead(x, weight.length, (one) => rmsNormExact(one, weight, token.epsilon)));
  const quantize = (step: string, x: Float32Array): Uint8Array => {
    const bytes = quantizeQ8_0(x);
    see(step, new Uint32Array(bytes.buffer));
    return bytes;
  };
  const product = (step: LayerMatrix, activations: Uint8Array): Float32Array => {
    const n = activations.length / 34 * 32;
    const weights = token.matrices[step];
    const rows = weights.length / (n / 128 * 18);
    const words = matmulQ1_0({ rows, cols: 1, n, weights, activations });
    return seen(step, new Float32Array(words.buffer));
  };
  const turned = (step: string, x: Float32Array) =>
    seen(step, perHead(x, token.head, (one) => ropeExact(one, token.cos, token.sin)));
  const sum = (step: string, a: Float32Array, b: Float32Array) =>
    seen(step, a.map((value, i) => addTame(tame(value), tame(b[i]))));

  const { x, norms, keys, values } = token;
  const forAttention = quantize("attn_quants", norm("attn_norm", x, norms.attn_norm));
  const q = product("attn_q", forAttention);
  const k = product("attn_k", forAttention);
  const v = product("attn_v", forAttention);
  const queries = turned("rope_q", norm("attn_q_norm", q, norms.attn_q_norm));
  keys.set(turned("rope_k", norm("attn_k_norm", k, norms.attn_k_norm)), token.position * k.length);
  values.set(v, token.position * v.length);
  const length = token.position + 1;
  const scores = seen("scores", scoresExact(token, queries, keys, length));
  const weights = seen("softmax", perHead(scores, length, softmaxExact));
  const mixed = seen("mix", mixExact(token, weights, values, length));
  const attended = product("attn_output", quantize("mix_quants", mixed));
  const middle = sum("attn_residual", x, attended);
  const forFfn = quantize("ffn_quants", norm("ffn_norm", middle, norms.ffn_norm));
  const gate = product("ffn_gate", forFfn);
  const up = product("ffn_up", forFfn);
  const opened = seen("swiglu", gate.map((value, i) => swigluExact(value, up[i])));
  const down = product("ffn_down", quantize("swiglu_quants", opened));
  return sum("ffn_residual", middle, down);
}

/** A function of each `size` values. */
function perHead(
  x: Float32Array,
  size: number,
  of: (one: Float32Array) => Float32Array,
): Float32Array {
  const all = new Float32Array(x.length);
  for (let at = 0; at < x.length; at += size) all.set(of(x.subarray(at, at + size)), at);
  return all;
}
