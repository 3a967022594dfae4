/** What kernels are given to read. */
import { expect } from "expect";
import { caseAt, quickCases } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { packAligned, packBlockMajor, packBlocks } from "../../kernels/packing.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { exactF32OfF16 } from "../../reference/exact.ts";
import { isNaNWord } from "../../tools/runner/words.ts";

function inputOf(address: string): Q1Input {
  const { family, parsed } = caseAt(address);
  return family.input(parsed);
}

const SMALL = "q1_0_matmul/tile:rows=3,n=256,cols=2,seed=1";

Deno.test("aligned words hold the blocks' own numbers", () => {
  const input = inputOf(SMALL);
  const packed = packAligned(input);
  const words = (bytes: Uint8Array) => new Uint32Array(bytes.slice().buffer);
  expect(words(packed.weightScales).length).toBe(3 * 2);
  // Weight 77 of row 2, block 1, is bit 77 % 8 of byte 77 / 8 there, and bit 13 of word 2 here.
  const block = 2 * 2 + 1;
  const bit = (input.weights[18 * block + 2 + (77 >> 3)]! >> (77 & 7)) & 1;
  expect((words(packed.signs)[4 * block + 2]! >>> 13) & 1).toBe(bit);
  // Quant 9 of column 1, sub-block 5, is byte 1 of word 2.
  const quants = 1 * 8 + 5;
  expect((words(packed.quants)[8 * quants + 2]! >>> 8) & 255).toBe(
    input.activations[34 * quants + 2 + 9],
  );
});

Deno.test("block-major words hold the same bits, those of a lane a byte apart", () => {
  const input = inputOf(SMALL);
  const words = (bytes: Uint8Array) => new Uint32Array(bytes.slice().buffer);
  const aligned = packAligned(input);
  const packed = packBlockMajor(input);
  const [signs, scales] = [words(packed.signs), words(packed.weightScales)];
  expect(signs.length).toBe(3 * 2 * 4);
  for (let row = 0; row < 3; row++) {
    for (let block = 0; block < 2; block++) {
      const [from, to] = [2 * row + block, 3 * block + row];
      expect(scales[to]).toBe(words(aligned.weightScales)[from]);
      for (let weight = 0; weight < 128; weight++) {
        const [k, lane, i] = [weight >> 5, (weight >> 2) & 7, weight & 3];
        const bit = (words(aligned.signs)[4 * from + k]! >>> (weight & 31)) & 1;
        expect((signs[4 * to + k]! >>> (8 * i + lane)) & 1).toBe(bit);
      }
    }
  }
});

Deno.test("rows beyond the distinct ones repeat them in block-major words too", () => {
  const input = inputOf("q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=1,seed=1");
  const scales = new Uint32Array(packBlockMajor(input).weightScales.buffer);
  expect(scales.length).toBe(1024 * 16);
  for (const block of [0, 15]) {
    const at = 1024 * block;
    expect(scales[at + 1000]).toBe(scales[at + 1000 % input.distinctRows]);
    expect(scales.slice(at, at + 9)).not.toEqual(scales.slice(at + 9, at + 18));
  }
});

Deno.test("scales are widened exactly, for all 65,536 codes", () => {
  const activations = new Uint8Array(65536 * 34);
  const view = new DataView(activations.buffer);
  for (let half = 0; half < 65536; half++) view.setUint16(34 * half, half, true);
  const input: Q1Input = {
    n: 65536 * 32,
    rows: 1,
    cols: 1,
    distinctRows: 1,
    weights: new Uint8Array((65536 * 32 / 128) * 18),
    activations,
  };
  const scales = new Uint32Array(packAligned(input).activationScales.buffer);
  let wrong = 0;
  for (let half = 0; half < 65536; half++) {
    const exact = exactF32OfF16(half);
    if (scales[half] !== exact && !(isNaNWord(exact) && isNaNWord(scales[half]!))) wrong++;
  }
  expect(wrong).toBe(0);
});

Deno.test("rows beyond the distinct ones repeat them", () => {
  const input = inputOf("q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=1,seed=1");
  const rowBytes = (input.n / 128) * 18;
  const { weights } = packBlocks(input);
  expect(weights.length).toBe(1024 * rowBytes);
  const row = (at: number) => weights.subarray(at * rowBytes, (at + 1) * rowBytes);
  expect(row(1000)).toEqual(row(1000 % input.distinctRows));
});

Deno.test("an input is packed once for all kernels", () => {
  const input = inputOf(SMALL);
  expect(packAligned(input)).toBe(packAligned(input));
});

Deno.test("the dispatches of every kernel write each word of the output once", () => {
  for (const kernel of KERNELS) {
    const { family, parsed } = quickCases().findLast(({ family }) =>
      family.name === kernel.family
    )!;
    const input = family.input(parsed);
    const { rows, cols } = family.grid(input);
    const written = new Uint8Array(rows * cols);
    const bindings = kernel.prepare(input, 64).flatMap(({ bindings }) => bindings);
    // A part of the output that later dispatches read is bound by each of them.
    const parts = new Map(
      bindings.flatMap((binding) =>
        binding.kind === "scratch" && binding.output !== undefined
          ? [[binding.name, { first: binding.output, words: binding.words }]]
          : []
      ),
    );
    const outputs = bindings.filter((binding) => binding.kind === "output");
    for (const { first, words } of [...outputs, ...parts.values()]) {
      for (let i = 0; i < words; i++) written[first + i]!++;
    }
    expect(`${kernel.name} ${written.every((times) => times === 1)}`).toBe(`${kernel.name} true`);
  }
});
