/**
 * The packed blocks of weights and activations, and the checks that every function on them makes.
 * Everything is little-endian. Source: ggml's block_q1_0, block_q2_0 and block_q8_0.
 */

/** One packed format: `bytes` for each `elements` values, the first two bytes an f16 scale. */
export interface BlockLayout {
  /** As errors name it. */
  readonly name: string;
  /** Bytes of a block. */
  readonly bytes: number;
  /** Weights or activations in a block. */
  readonly elements: number;
}

/** Scale, then 16 bytes of sign bits: weight j is bit j % 8 of byte ⌊j / 8⌋, 1 is +scale. */
export const Q1_0_BLOCK: BlockLayout = { name: "Q1_0", bytes: 18, elements: 128 };

/** Scale, then 16 bytes of two-bit codes, lowest bits first: code c is (c − 1) · scale. */
export const Q2_0_BLOCK: BlockLayout = { name: "Q2_0", bytes: 18, elements: 64 };

/** Scale, then 32 signed bytes. */
export const Q8_0_BLOCK: BlockLayout = { name: "q8_0", bytes: 34, elements: 32 };

/** A matrix of packed weights and the activations that it meets. */
export interface MatmulInput {
  /** Rows of weights. */
  readonly rows: number;
  /** Columns of activations. */
  readonly cols: number;
  /** Elements in a row and in a column. */
  readonly n: number;
  /** `rows` rows of packed weight blocks, one after the other. */
  readonly weights: Uint8Array;
  /** `cols` columns of packed q8_0 blocks, one after the other. */
  readonly activations: Uint8Array;
}

/**
 * Blocks in a row of n elements.
 *
 * @throws {RangeError} if n is not a positive multiple of the block's elements
 */
export function blocksInRow(layout: BlockLayout, n: number): number {
  const { name, elements } = layout;
  if (!Number.isSafeInteger(n) || n <= 0 || n % elements !== 0) {
    throw new RangeError(
      `Cannot divide a row of ${n} elements into ${name} blocks: a block holds ${elements}. ` +
        `Choose n as a positive multiple of ${elements}.`,
    );
  }
  return n / elements;
}

/**
 * Bytes of a packed row of n elements.
 *
 * @throws {RangeError} if n is not a positive multiple of the block's elements
 */
export function rowBytes(layout: BlockLayout, n: number): number {
  return blocksInRow(layout, n) * layout.bytes;
}

/**
 * Elements in packed bytes that are whole blocks: any number of rows.
 *
 * @throws {RangeError} if the bytes end inside a block
 */
export function elementsInBytes(layout: BlockLayout, byteLength: number): number {
  const { name, bytes, elements } = layout;
  if (byteLength % bytes !== 0) {
    throw new RangeError(
      `Cannot read ${byteLength} bytes as ${name} blocks: a block is ${bytes} bytes, ` +
        `${byteLength % bytes} are left over. Pass whole blocks.`,
    );
  }
  return byteLength / bytes * elements;
}

/**
 * Holds that a packed row of n elements lies within `bytes` from byte `at` on.
 *
 * @throws {RangeError} if it does not, or if n is not a positive multiple of the block's elements
 */
export function checkRowAt(layout: BlockLayout, n: number, bytes: Uint8Array, at: number): void {
  const needed = rowBytes(layout, n);
  if (!Number.isSafeInteger(at) || at < 0 || at + needed > bytes.length) {
    throw new RangeError(
      `Cannot read ${needed} bytes of ${layout.name} (n = ${n}) at byte ${at}: there are ` +
        `${bytes.length} bytes. Pass a start in bytes that leaves room for the whole row.`,
    );
  }
}

/**
 * Holds that a matmul's shape and byte lengths agree.
 *
 * @throws {RangeError} if n is not a multiple of both blocks, if rows or cols is not a positive
 * integer, or if a byte length is not exactly what the shape needs
 */
export function checkMatmul(weightLayout: BlockLayout, input: MatmulInput): void {
  const { rows, cols, n, weights, activations } = input;
  checkCount(`${weightLayout.name} matmul`, "rows", rows);
  checkCount(`${weightLayout.name} matmul`, "cols", cols);
  checkLength(weightLayout, "weights", "rows", rows, n, weights.length);
  checkLength(Q8_0_BLOCK, "activations", "cols", cols, n, activations.length);
}

function checkCount(what: string, name: string, count: number): void {
  if (Number.isSafeInteger(count) && count > 0) return;
  throw new RangeError(
    `Cannot compute a ${what}: ${name} is ${count}. Pass a positive integer.`,
  );
}

function checkLength(
  layout: BlockLayout,
  what: string,
  countName: string,
  count: number,
  n: number,
  actual: number,
): void {
  const expected = count * rowBytes(layout, n);
  if (actual === expected) return;
  throw new RangeError(
    `Cannot use ${actual} bytes as ${layout.name} ${what}: ${countName} = ${count} and n = ${n} ` +
      `need ${expected}. Pass exactly that many bytes, or correct the shape.`,
  );
}

/** The u16 at a byte offset, little-endian; in blocks, the bits of an f16 scale. */
export function u16At(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8);
}
