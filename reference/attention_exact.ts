/**
 * Attention of one token over a cache in tame f32, in one order that every kernel keeps. Between the
 * scores and the mix stands `softmaxExact`.
 *
 * Source: grouped-query attention as Qwen3 has it.
 *
 * @module
 */

import { addTame, divTame, mulTame, sqrtTame, tame, treeSumTame } from "./tame.ts";

/** Query heads, the heads of keys and values that they share, and the values in each. */
export interface AttentionShape {
  /** Values in a head. */
  readonly head: number;
  /** Query heads: a multiple of `kvHeads`. */
  readonly heads: number;
  /** Heads of keys and values: query head h uses ⌊h · kvHeads / heads⌋. */
  readonly kvHeads: number;
}

/** What scores are multiplied by: 1 / √head, each operation rounded. */
export function scoreScale(head: number): number {
  return divTame(1, sqrtTame(head));
}

/** Where a cache holds the first value of a position's head: (position · kvHeads + kvHead) · head. */
function cachedAt({ head, heads, kvHeads }: AttentionShape, position: number, queryHead: number) {
  const kvHead = Math.floor(queryHead * kvHeads / heads);
  return (position * kvHeads + kvHead) * head;
}

/**
 * Order: the products of a head in a tree of 64 chains (`treeSumTame`), times the scale.
 *
 * @param queries `heads` heads
 * @param keys a cache of at least `length` positions
 * @param length positions that are looked at
 * @returns scores at queryHead · length + position
 */
export function scoresExact(
  shape: AttentionShape,
  queries: Float32Array,
  keys: Float32Array,
  length: number,
): Float32Array<ArrayBuffer> {
  const { head, heads } = shape;
  const scale = scoreScale(head);
  return Float32Array.from({ length: heads * length }, (_, i) => {
    const [queryHead, position] = [Math.floor(i / length), i % length];
    const at = cachedAt(shape, position, queryHead);
    const products = Float32Array.from(
      { length: head },
      (_, d) => mulTame(tame(queries[queryHead * head + d]), tame(keys[at + d])),
    );
    return mulTame(treeSumTame(products), scale);
  });
}

/**
 * Order: positions ascending, each product added to one sum that begins at +0.
 *
 * @param weights at queryHead · length + position
 * @param values a cache of at least `length` positions
 * @returns `heads` heads: the sums of values times their weights
 */
export function mixExact(
  shape: AttentionShape,
  weights: Float32Array,
  values: Float32Array,
  length: number,
): Float32Array<ArrayBuffer> {
  const { head, heads } = shape;
  return Float32Array.from({ length: heads * head }, (_, i) => {
    const [queryHead, d] = [Math.floor(i / head), i % head];
    let sum = 0;
    for (let position = 0; position < length; position++) {
      const value = tame(values[cachedAt(shape, position, queryHead) + d]);
      sum = addTame(sum, mulTame(weights[queryHead * length + position], value));
    }
    return sum;
  });
}
