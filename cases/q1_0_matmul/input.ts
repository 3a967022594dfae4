/**
 * The input of the family `q1_0_matmul`: Q1_0 weights and q8_0 activations as packed blocks.
 *
 * @module
 */
import { Q1_0_BLOCK, Q8_0_BLOCK } from "../../reference/blocks.ts";

/** A matrix product, as the formats store it. */
export interface Q1Input {
  /** Weights in a row and activations in a column; a multiple of 128. */
  readonly n: number;
  /** Rows of weights: words in a column of the output. */
  readonly rows: number;
  /** Columns of activations: columns of the output. */
  readonly cols: number;
  /**
   * Rows that `weights` holds. Where it is fewer than `rows`, row r is row r modulo `distinctRows`:
   * a large matrix of a model without storing and computing all of it.
   */
  readonly distinctRows: number;
  /** `distinctRows` rows of n/128 blocks: f16 scale, then 16 bytes of sign bits. */
  readonly weights: Uint8Array;
  /** `cols` columns of n/32 blocks: f16 scale, then 32 signed bytes. */
  readonly activations: Uint8Array;
}

/** Bytes of a block of 128 weights, and of a block of 32 activations. */
export const Q1_BLOCK = Q1_0_BLOCK.bytes;
export const Q8_BLOCK = Q8_0_BLOCK.bytes;

/** Writes blocks one after the other. */
export class BlockWriter {
  readonly bytes: Uint8Array;
  #at = 0;

  constructor(byteLength: number) {
    this.bytes = new Uint8Array(byteLength);
  }

  /** A scale: the two bytes of an f16. */
  half(bits: number): void {
    this.bytes[this.#at++] = bits;
    this.bytes[this.#at++] = bits >>> 8;
  }

  /** One byte: eight sign bits, or a quant (kept modulo 256). */
  byte(value: number): void {
    this.bytes[this.#at++] = value;
  }
}
