/**
 * DEQUANTIZE and EMBEDDING: rows of packed blocks to f32, by one text.
 *
 * @module
 */
import type { RowsInput } from "../cases/packed_rows/input.ts";
import type { Kernel } from "./kernel.ts";
import text from "./packed_rows.wgsl" with { type: "text" };

const WORKGROUP = 64;

/** Bindings: 0 the table, 1 the rows that are wanted, 2 output, 3 {n}. The entry is the format. */
const rowsKernel = (name: string, family: string): Kernel<RowsInput> => ({
  name,
  family,
  file: "kernels/packed_rows.wgsl",
  text,
  workgroup: { kind: "fixed", size: WORKGROUP },
  workgroupBytes: () => 0,
  rounds: () => 0,
  prepare: ({ format, n, packed, wanted }) => [{
    entry: format,
    bindings: [
      { binding: 0, kind: "input", bytes: packed },
      { binding: 1, kind: "input", bytes: new Uint8Array(wanted.buffer) },
      { binding: 2, kind: "output", first: 0, words: n * wanted.length },
      { binding: 3, kind: "uniform", words: Uint32Array.of(n, 0, 0, 0) },
    ],
    workgroups: [Math.ceil(n / WORKGROUP), wanted.length, 1],
  }],
});

/** Every row of a table. */
export const dequantizeRows: Kernel<RowsInput> = rowsKernel("DEQUANTIZE", "dequantize");
/** The rows of tokens. */
export const embedTokens: Kernel<RowsInput> = rowsKernel("EMBEDDING", "embedding");
