/**
 * The input of the families `dequantize` and `embedding`: packed rows of a table, and which of them
 * are wanted.
 *
 * @module
 */
import { type BlockLayout, Q1_0_BLOCK, Q2_0_BLOCK, Q8_0_BLOCK } from "../../reference/blocks.ts";
import { dequantizeQ1_0, dequantizeQ2_0, dequantizeQ8_0 } from "../../reference/dequantize.ts";
import { below, mulberry32, type Random } from "../random.ts";
import type { ScaleFill } from "../q1_0_matmul/fills.ts";

/** A packed format, and what its blocks stand for. */
export interface Format {
  readonly layout: BlockLayout;
  /** Whole blocks to f32 bits. */
  readonly dequantize: (packed: Uint8Array) => Uint32Array;
}

export const FORMATS: Readonly<Record<string, Format>> = {
  q1_0: { layout: Q1_0_BLOCK, dequantize: dequantizeQ1_0 },
  q2_0: { layout: Q2_0_BLOCK, dequantize: dequantizeQ2_0 },
  q8_0: { layout: Q8_0_BLOCK, dequantize: dequantizeQ8_0 },
};

/** Rows of a table. */
export interface RowsInput {
  /** Its name among {@linkcode FORMATS}. */
  readonly format: string;
  /** Values in a row. */
  readonly n: number;
  /** The whole table, row after row. */
  readonly packed: Uint8Array;
  /** The rows that are wanted, in this order; a row may be wanted twice. */
  readonly wanted: Uint32Array;
}

/** Bytes behind a scale: signs, codes or quants. */
export const BYTES: Readonly<Record<string, (random: Random) => number>> = {
  random: (random) => random() & 255,
  /** All +, all codes 3, all quants −1. */
  ones: () => 255,
  /** All −, all codes 0, all quants 0. */
  zeros: () => 0,
  /** All codes 1, which stand for zero. */
  middle: () => 0b01010101,
  /** The quants −128 and 127. */
  ends: (random) => 127 + below(random, 2),
};

export function drawTable(
  { layout }: Format,
  { n, rows, seed }: { readonly n: number; readonly rows: number; readonly seed: number },
  scale: ScaleFill,
  byte: (random: Random) => number,
): Uint8Array {
  const random = mulberry32(seed);
  const packed = new Uint8Array(rows * n / layout.elements * layout.bytes);
  for (let at = 0; at < packed.length; at += layout.bytes) {
    const half = scale(random);
    packed[at] = half;
    packed[at + 1] = half >>> 8;
    for (let i = 2; i < layout.bytes; i++) packed[at + i] = byte(random);
  }
  return packed;
}
