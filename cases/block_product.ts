/**
 * The input of a product of packed weights and q8_0 activations, whatever the weights' format.
 *
 * @module
 */

/** A matrix product, as the formats store it. */
export interface BlockProduct {
  /** Weights in a row and activations in a column; a multiple of the formats' blocks. */
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
  /** `distinctRows` rows of blocks of 18 bytes: f16 scale, then 16 bytes of signs or codes. */
  readonly weights: Uint8Array;
  /** `cols` columns of n/32 blocks: f16 scale, then 32 signed bytes. */
  readonly activations: Uint8Array;
}

/**
 * The words of all rows of such a product, from those of the distinct ones.
 *
 * @param stored the output of the distinct rows, word col · distinctRows + row
 */
export function repeatRows(
  stored: Uint32Array,
  { rows, cols, distinctRows }: Pick<BlockProduct, "rows" | "cols" | "distinctRows">,
): Uint32Array {
  if (distinctRows === rows) return stored;
  const all = new Uint32Array(rows * cols);
  for (let col = 0; col < cols; col++) {
    const column = stored.subarray(col * distinctRows, (col + 1) * distinctRows);
    for (let at = 0; at < rows; at += distinctRows) {
      all.set(column.subarray(0, rows - at), col * rows + at);
    }
  }
  return all;
}
