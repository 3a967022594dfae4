/**
 * Rotary positions in tame f32, in one order that every kernel keeps.
 *
 * Source: RoPE as Qwen3 has it, on pairs (d, d + half).
 *
 * @module
 */

import { addTame, mulTame, tame } from "./tame.ts";

/**
 * Order: a · cos − b · sin and b · cos + a · sin; both products are rounded, then their sum.
 *
 * @param head 2 · half values a = head[d] and b = head[d + half]
 * @param cos half values, as is `sin`
 */
export function ropeExact(
  head: Float32Array,
  cos: Float32Array,
  sin: Float32Array,
): Float32Array<ArrayBuffer> {
  const half = head.length / 2;
  const turned = new Float32Array(head.length);
  for (let d = 0; d < half; d++) {
    const [a, b, c, s] = [head[d], head[d + half], cos[d], sin[d]].map(tame) as [
      number,
      number,
      number,
      number,
    ];
    turned[d] = addTame(mulTame(a, c), -mulTame(b, s));
    turned[d + half] = addTame(mulTame(b, c), mulTame(a, s));
  }
  return turned;
}
