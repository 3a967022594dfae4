/**
 * Goldens of large results: a digest of each strip of rows instead of the bits.
 *
 * @module
 */
import type { Grid, RowRange, WordKind } from "../../cases/family.ts";
import { compareOutput, movingWords, type Output } from "./compare.ts";
import { poisonFor } from "./poison.ts";
import type { ComparedWord, Verdict } from "./verdict.ts";
import { isNaNWord } from "./words.ts";

/** Rows of a strip where a golden is made. */
export const STRIP_ROWS = 256;
/** Bytes of a SHA-256. */
export const DIGEST_BYTES = 32;

/** What stands in every word before the run, as no golden is known: see judgeStrips. */
const POISON = poisonFor(0);

/** A golden that holds no bits. */
export interface StripDigests {
  /** Rows of a strip; the last one may have fewer. */
  readonly stripRows: number;
  /** A SHA-256 a strip, of its words (u32, little-endian) in all columns, column by column. */
  readonly digests: Uint8Array;
}

/** A result that cannot be held as digests. */
export class StripError extends Error {
  override name = "StripError";
}

/**
 * Digests a right result.
 *
 * @throws {StripError} where it holds a NaN: any NaN is right there, and so a digest cannot tell;
 * least of all a word that was never written, since the poison in an output is a NaN too. Of integers
 * the poison alone is refused
 */
export async function digestStrips(
  words: Uint32Array,
  grid: Grid,
  kind: WordKind,
): Promise<StripDigests> {
  const at = words.findIndex(kind === "f32" ? isNaNWord : (word) => word === POISON);
  if (at >= 0) {
    const what = kind === "f32" ? "NaN" : "the poison of unwritten words";
    throw new StripError(
      `the result is ${what} at row ${at % grid.rows}, column ${
        Math.floor(at / grid.rows)
      }, and a ` +
        `digest cannot hold ${
          kind === "f32" ? "a NaN" : "that"
        }. Let the golden hold bits, or change the input.`,
    );
  }
  return { stripRows: STRIP_ROWS, digests: await digestsOf(words, grid, STRIP_ROWS) };
}

/**
 * Holds an output against digests. Where a strip differs, the reference is asked for that one, so
 * that the mismatch is shown like any other.
 *
 * @param output from buffers that were poisoned with a NaN in every word
 * @param reference gives the right words of some rows
 */
export async function judgeStrips(
  golden: StripDigests,
  output: Output,
  grid: Grid,
  kind: WordKind,
  reference: (rows: RowRange) => Uint32Array,
): Promise<Verdict> {
  const { overrun, repeats } = output;
  const words = grid.rows * grid.cols;
  const wrong = await firstWrong(golden, output, grid);
  if (!wrong) {
    if (overrun === 0) return { kind: "pass", words };
    const mismatch = { words, differing: 0, unwritten: 0, overrun, rows: [], neighbours: [] };
    return { kind: "differ", mismatch };
  }
  const rows = stripRange(wrong.strips[0]!, golden.stripRows, grid);
  const part = { repeats: [rowsOf(wrong.words, grid, rows)], overrun };
  const shape = { rows: rows.count, cols: grid.cols };
  const mismatch = compareOutput(reference(rows), part, shape, kind);
  if (!mismatch?.first) {
    return {
      kind: "error",
      ran: true,
      message: `The golden's digest of rows ${rows.first} to ${rows.first + rows.count - 1} is ` +
        "not that of the output, and the reference agrees with the output: the golden is out of " +
        "date. See what changed: deno task golden",
    };
  }
  const moving = movingWords(repeats, kind);
  return {
    kind: "differ",
    mismatch: {
      ...mismatch,
      rows: mismatch.rows.map((row) => row + rows.first),
      first: inGrid(mismatch.first, rows),
      neighbours: mismatch.neighbours.map((word) => inGrid(word, rows)),
      ...(moving > 0 && { moving: { repeats: repeats.length, words: moving } }),
      strip: { ...rows, differing: wrong.strips.length, strips: stripCount(golden) },
    },
  };
}

/** The first repetition that has a wrong strip, and all of its wrong strips. */
async function firstWrong(golden: StripDigests, { repeats }: Output, grid: Grid) {
  for (const words of repeats) {
    const strips = changedStrips(golden, {
      stripRows: golden.stripRows,
      digests: await digestsOf(words, grid, golden.stripRows),
    });
    if (strips.length > 0) return { words, strips };
  }
  return undefined;
}

/** The strips whose digests are not the same. @param before of the same shape as `after` */
export function changedStrips(before: StripDigests, after: StripDigests): number[] {
  return Array.from({ length: stripCount(before) }, (_, strip) => strip).filter((strip) => {
    for (let i = strip * DIGEST_BYTES; i < (strip + 1) * DIGEST_BYTES; i++) {
      if (before.digests[i] !== after.digests[i]) return true;
    }
    return false;
  });
}

export function stripCount({ digests }: StripDigests): number {
  return digests.length / DIGEST_BYTES;
}

async function digestsOf(words: Uint32Array, grid: Grid, stripRows: number): Promise<Uint8Array> {
  const strips = Math.ceil(grid.rows / stripRows);
  const digests = new Uint8Array(strips * DIGEST_BYTES);
  for (let strip = 0; strip < strips; strip++) {
    const part = rowsOf(words, grid, stripRange(strip, stripRows, grid));
    digests.set(new Uint8Array(await crypto.subtle.digest("SHA-256", part)), strip * DIGEST_BYTES);
  }
  return digests;
}

function stripRange(strip: number, stripRows: number, { rows }: Grid): RowRange {
  const first = strip * stripRows;
  return { first, count: Math.min(stripRows, rows - first) };
}

/** The words of some rows, column by column. */
function rowsOf(words: Uint32Array, { rows, cols }: Grid, { first, count }: RowRange) {
  const part = new Uint32Array(count * cols);
  for (let col = 0; col < cols; col++) {
    const from = col * rows + first;
    part.set(words.subarray(from, from + count), col * count);
  }
  return part;
}

/** A word of a strip with its row in the whole grid. */
function inGrid(word: ComparedWord, { first }: RowRange): ComparedWord {
  return { ...word, row: word.row + first };
}
