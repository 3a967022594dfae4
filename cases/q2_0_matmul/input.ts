/**
 * The input of the family `q2_0_matmul`: Q2_0 weights and q8_0 activations as packed blocks.
 *
 * @module
 */
import { Q2_0_BLOCK } from "../../reference/blocks.ts";

/** A matrix product, as the formats store it. */
export interface Q2Input {
  /** Weights in a row and activations in a column; a multiple of 64. */
  readonly n: number;
  /** Rows of weights: words in a column of the output. */
  readonly rows: number;
  /** Columns of activations: columns of the output. */
  readonly cols: number;
  /** `rows` rows of n/64 blocks: f16 scale, then 16 bytes of codes. */
  readonly weights: Uint8Array;
  /** `cols` columns of n/32 blocks: f16 scale, then 32 signed bytes. */
  readonly activations: Uint8Array;
}

/** Bytes of a block of 64 weights. */
export const Q2_BLOCK = Q2_0_BLOCK.bytes;
