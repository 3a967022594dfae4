/**
 * Ternary weights times activations of one bit, in integers, element by element: the sum that kernels
 * get from counts of bits.
 *
 * Source: the identity of the engine's ternary dot, undone: weight = plus − minus, activation = ±1.
 */

/** Planes of bits: element j is bit j % 32 of word ⌊j / 32⌋ of its row or column. */
export interface TernaryInput {
  /** Elements in a row and in a column; a multiple of 32. */
  readonly n: number;
  /** Rows of weights. */
  readonly rows: number;
  /** Columns of activations. */
  readonly cols: number;
  /** A 1 where the weight has a +1; `rows` rows. */
  readonly plus: Uint32Array;
  /** A 1 where the weight has a −1; where both are set, the weight is 0. */
  readonly minus: Uint32Array;
  /** A 1 where the activation is +1, a 0 where it is −1; `cols` columns. */
  readonly signs: Uint32Array;
}

/**
 * rows × cols sums of n products, output (row, col) at col · rows + row, as the two's complement of an
 * i32.
 *
 * @throws {RangeError} if n is not a positive multiple of 32, or a length is not what the shape needs
 */
export function matmulTernary(input: TernaryInput): Uint32Array {
  const { n, rows, cols, plus, minus, signs } = input;
  const words = n / 32;
  if (!Number.isSafeInteger(words) || words <= 0) {
    throw new RangeError(
      `Cannot multiply rows of ${n} elements: a word holds 32. Choose n as a positive multiple of 32.`,
    );
  }
  if (
    plus.length !== rows * words || minus.length !== plus.length || signs.length !== cols * words
  ) {
    throw new RangeError(
      `Cannot multiply planes of ${plus.length}, ${minus.length} and ${signs.length} words: ` +
        `rows = ${rows}, cols = ${cols} and n = ${n} need ${rows * words}, the same, and ` +
        `${cols * words}. Correct the shape.`,
    );
  }
  const bit = (plane: Uint32Array, line: number, j: number) =>
    (plane[line * words + (j >>> 5)] >>> (j & 31)) & 1;
  const sums = new Int32Array(rows * cols);
  for (let col = 0; col < cols; col++) {
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let j = 0; j < n; j++) {
        const weight = bit(plus, row, j) - bit(minus, row, j);
        sum += bit(signs, col, j) === 1 ? weight : -weight;
      }
      sums[col * rows + row] = sum;
    }
  }
  return new Uint32Array(sums.buffer);
}
