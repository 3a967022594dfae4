/**
 * What an input of `q1_0_matmul` needs of an adapter's arithmetic.
 *
 * Every finite scale is safe anywhere: no sum of a finite input is subnormal or overflows, and no
 * kernel is asked to fuse. Only infinite and NaN scales ask for something: lanes that are infinite
 * with opposite signs, or NaN, are joined by plain additions.
 *
 * @module
 */
import type { RuleNeed } from "../family.ts";
import { Q1_BLOCK, type Q1Input, Q8_BLOCK } from "./input.ts";

const NEEDS: readonly RuleNeed[] = [
  {
    rule: "infinity_minus_infinity",
    answer: "nan",
    why: "the input has a scale that is not finite, and lanes of opposite infinities may meet",
  },
  {
    rule: "nan_through_add",
    answer: "nan",
    why: "the input has a scale that is not finite, and a NaN lane is added to others",
  },
];

export function q1Needs({ weights, activations }: Q1Input): readonly RuleNeed[] {
  return needsOfScales([weights, Q1_BLOCK], [activations, Q8_BLOCK]);
}

/** Of blocks that begin with an f16 scale. @param parts the blocks, and the bytes of one */
export function needsOfScales(
  ...parts: readonly (readonly [blocks: Uint8Array, blockBytes: number])[]
): readonly RuleNeed[] {
  return parts.every(([blocks, blockBytes]) => hasOnlyFiniteScales(blocks, blockBytes))
    ? []
    : NEEDS;
}

/** The exponent of an f16 stands in bits 2 to 6 of its upper byte. */
function hasOnlyFiniteScales(blocks: Uint8Array, blockBytes: number): boolean {
  for (let at = 1; at < blocks.length; at += blockBytes) {
    if ((blocks[at]! & 0x7c) === 0x7c) return false;
  }
  return true;
}
