/**
 * Attention of one query head in f64, with a bound for each element of what an f32 kernel may differ
 * by that computes it in splits and tiles.
 *
 * Source: o = Σ w v with w = softmax(q · k · scale); computed as "flash" kernels do: a running maximum,
 * a sum of weights and an output, rescaled when the maximum moves; then the splits are merged (Dao and
 * others, 2022; Milakov and Gimelshein, 2018). The bound is derived below.
 */

import { EXP_F64_ERROR, expF64 } from "./exp.ts";
import {
  type BoundedValues,
  DIVISION_ROUNDINGS,
  expError,
  ROUNDING,
  roundings,
  SMALLEST_NORMAL,
} from "./roundings.ts";

/** Keys of a tile. */
export const ATTENTION_TILE = 64;

/** Additions that a product of a score passes through: at least 16 chains of equal length, joined. */
export function scoreDepth(n: number): number {
  return Math.ceil(n / 16) + 4;
}

/** One query head, and the keys and values of its head: all of them finite, and normal or 0. */
export interface AttentionHead {
  /** n values. */
  readonly query: Float32Array;
  /** Key after key, n values each. */
  readonly keys: Float32Array;
  /** As `keys`. */
  readonly values: Float32Array;
  /** One for each key: 0 where it is masked. */
  readonly live: Uint32Array;
  /** What scores are multiplied by, an f32. */
  readonly scale: number;
  /** Ranges of ⌈keys / splits⌉ keys; the last ones may be empty. */
  readonly splits: number;
}

/** One live key. */
interface Weighed {
  /** Where its value begins. */
  readonly at: number;
  /** Of all weights, whose sum is 1. */
  readonly weight: number;
  /** How far a kernel's weight may be from it before all are divided by their sum, by its size. */
  readonly error: number;
}

/**
 * Scores and their errors, then weights and theirs. In units u = 2^-24:
 *
 * - A score is a sum of products, each rounded once and then {@linkcode scoreDepth} times, times the
 *   scale: depth + 2 roundings on scale · Σ |q k|. A flushed product or score: 2^-126 each.
 * - A weight is e^(score − maximum). Its exponent comes together in stages: score minus the tile's
 *   maximum, then old minus new maximum at each later tile of the split, then that of the split minus
 *   that of all. They are negative, and their sum is score − maximum of the kernel's own scores: −x
 *   with x at most 2 score errors above the exact one. Whatever the maximum's own error is, all
 *   weights have it, and their quotients do not.
 * - Each stage's difference is rounded, u of its size: u · x together. Each exp is off by
 *   (3 + 2 |difference|) · 2 u, WGSL's own limit: (3 · stages + 2 x) · 2 u together.
 * - So the weight is off by the factor e^t at most, t = score error + all of those.
 */
function weigh({ query, keys, live, scale, splits }: AttentionHead): Weighed[] {
  const n = query.length, each = Math.ceil(live.length / splits);
  const scored: { key: number; score: number; error: number }[] = [];
  for (let key = 0; key < live.length; key++) {
    if (live[key] === 0) continue;
    let sum = 0, size = 0;
    for (let i = 0; i < n; i++) {
      const product = query[i] * keys[key * n + i];
      sum += product;
      size += Math.abs(product);
    }
    const error = size * scale * (roundings(scoreDepth(n) + 2) + (n + 2) * 2 ** -53) +
      (n + 1) * SMALLEST_NORMAL;
    scored.push({ key, score: sum * scale, error });
  }
  let highest = -Infinity, largestError = 0;
  for (const { score, error } of scored) {
    highest = Math.max(highest, score);
    largestError = Math.max(largestError, error);
  }
  let total = 0;
  for (const { score } of scored) total += expF64(score - highest);
  return scored.map(({ key, score, error }) => {
    const later = tilesOf(each) - 1 - Math.floor(key % each / ATTENTION_TILE);
    const x = highest - score + 2 * largestError;
    // The exps of a weight but the first have 3 of their 3 + 2 |x| ulp each.
    const exps = expError(x) + (later + 1) * expError(0);
    const exponent = error + x * ROUNDING + exps;
    return {
      at: key * n,
      weight: expF64(score - highest) / total,
      error: growth(exponent) + 2 * EXP_F64_ERROR,
    };
  });
}

const tilesOf = (keys: number) => Math.ceil(keys / ATTENTION_TILE);

/** e^t − 1 for t ≥ 0, from above; infinite from 1/2 on, where no bound is worth its name. */
const growth = (t: number) => t < 0.5 ? t + t * t : Infinity;

/**
 * Order: scores; in each split, tile after tile, the tile's maximum, its weights, the sums of weights
 * and of weights times values over the tile; those added to the split's, rescaled before where the
 * maximum moved; then the splits' sums, each brought to the maximum of all, added; one division.
 *
 * The bound of an element of o = Σ w v:
 *
 * - Weights off by the factors 1 + e, |e| ≤ error, make of it Σ w (1 + e) v / Σ w (1 + e), which is off
 *   by Σ w e (v − o) / Σ w (1 + e): what all of them share is nothing. So Σ w error |v − o| / (1 − Σ w
 *   error) at most.
 * - A product w v is rounded, then in its tile as often as there are other keys, then twice for each
 *   later tile (rescaled, added), then once brought to the maximum of all and once for each further
 *   split: that many roundings on Σ w (1 + error) |v|. The sum of weights has all of them but the first,
 *   on o itself, and so has the division, 2.5 ulp, 5 roundings.
 * - A flushed weight: 2^-126 a stage; a flushed product or sum: 2^-126 for each key, tile and split, and
 *   for the result. The sum of weights is about 1 at least, since that of the maximum is 1.
 *
 * f64 adds a rounding of 2^-53 for each key, to that of scores and exponentials above.
 *
 * @returns zeros, exactly, where no key is live
 */
export function attention(head: AttentionHead): BoundedValues {
  const { query, values: v, live, splits } = head;
  const n = query.length;
  const weighed = weigh(head);
  const values = new Float64Array(n), bounds = new Float64Array(n);
  if (weighed.length === 0) return { values, bounds };
  for (const { at, weight } of weighed) {
    for (let i = 0; i < n; i++) values[i] += weight * v[at + i];
  }
  let off = 0;
  const moved = new Float64Array(n), sizes = new Float64Array(n), apart = new Float64Array(n);
  for (const { at, weight, error } of weighed) {
    off += weight * error;
    for (let i = 0; i < n; i++) {
      const distance = Math.abs(v[at + i] - values[i]);
      apart[i] += distance;
      moved[i] += weight * error * distance;
      sizes[i] += weight * (1 + error) * Math.abs(v[at + i]);
    }
  }
  const each = Math.ceil(live.length / splits), tiles = tilesOf(each);
  const added = Math.min(each, ATTENTION_TILE) - 1 + 2 * (tiles - 1) + 1 + (splits - 1);
  const divided = roundings(added + DIVISION_ROUNDINGS);
  const product = roundings(added + 1) + (live.length + 4) * 2 ** -53;
  const stages = tiles + 1;
  for (let i = 0; i < n; i++) {
    const weights = moved[i] / (1 - off);
    const sums = sizes[i] / (1 - off) * product * (1 + divided);
    const flushed = 2 * SMALLEST_NORMAL *
      (stages * apart[i] + live.length + tiles * splits + splits + 1);
    bounds[i] = weights + sums + (Math.abs(values[i]) + weights) * divided + flushed;
  }
  return { values, bounds };
}
