import { expect } from "expect";
import {
  bitsOfF32,
  blocksInRow,
  dequantizeQ1_0,
  dequantizeQ2_0,
  dequantizeQ8_0,
  dotQ1_0,
  dotQ2_0,
  elementsInBytes,
  matmulQ1_0,
  matmulQ2_0,
  Q1_0_BLOCK,
  Q2_0_BLOCK,
  Q8_0_BLOCK,
  quantizeQ8_0,
  REFERENCE,
  rowBytes,
  unpackQ8_0,
} from "../../reference/mod.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length);

Deno.test("rows are whole blocks", () => {
  expect(Q1_0_BLOCK).toEqual({ name: "Q1_0", bytes: 18, elements: 128 });
  expect(Q2_0_BLOCK).toEqual({ name: "Q2_0", bytes: 18, elements: 64 });
  expect(Q8_0_BLOCK).toEqual({ name: "q8_0", bytes: 34, elements: 32 });
  expect([Q1_0_BLOCK, Q2_0_BLOCK, Q8_0_BLOCK].map((layout) => rowBytes(layout, 2048)))
    .toEqual([288, 576, 2176]);
  expect(blocksInRow(Q1_0_BLOCK, 384)).toBe(3);
  expect(elementsInBytes(Q8_0_BLOCK, 68)).toBe(64);
  for (const n of [0, -128, 64, 129, 128.5, NaN, Infinity]) {
    expect(() => rowBytes(Q1_0_BLOCK, n)).toThrow(
      `Cannot divide a row of ${n} elements into Q1_0 blocks: a block holds 128. ` +
        "Choose n as a positive multiple of 128.",
    );
  }
  const stray = "Cannot read 35 bytes as q8_0 blocks: a block is 34 bytes, 1 are left over. " +
    "Pass whole blocks.";
  expect(() => elementsInBytes(Q8_0_BLOCK, 35)).toThrow(stray);
  expect(() => dequantizeQ8_0(bytes(35))).toThrow(stray);
  expect(() => dequantizeQ1_0(bytes(17))).toThrow("Cannot read 17 bytes as Q1_0 blocks");
  expect(() => dequantizeQ2_0(bytes(19))).toThrow("Cannot read 19 bytes as Q2_0 blocks");
  expect(() => quantizeQ8_0(new Float32Array(33))).toThrow(
    "Cannot divide a row of 33 elements into q8_0 blocks: a block holds 32.",
  );
});

Deno.test("a matmul refuses a shape that its bytes do not have", () => {
  const good = { rows: 3, cols: 2, n: 128, weights: bytes(54), activations: bytes(272) };
  expect([...matmulQ1_0(good)]).toEqual([0, 0, 0, 0, 0, 0]);
  expect(() => matmulQ1_0({ ...good, weights: bytes(53) })).toThrow(
    "Cannot use 53 bytes as Q1_0 weights: rows = 3 and n = 128 need 54. " +
      "Pass exactly that many bytes, or correct the shape.",
  );
  expect(() => matmulQ1_0({ ...good, activations: bytes(273) })).toThrow(
    "Cannot use 273 bytes as q8_0 activations: cols = 2 and n = 128 need 272. ",
  );
  expect(() => matmulQ1_0({ ...good, n: 192 })).toThrow("into Q1_0 blocks");
  for (const rows of [0, -1, 1.5, NaN]) {
    expect(() => matmulQ1_0({ ...good, rows })).toThrow(
      `Cannot compute a Q1_0 matmul: rows is ${rows}. Pass a positive integer.`,
    );
  }
  expect(() => matmulQ2_0({ ...good, cols: 0 })).toThrow(
    "Cannot compute a Q2_0 matmul: cols is 0. Pass a positive integer.",
  );
  // The same 54 bytes are three Q1_0 rows of 128, but of Q2_0 three rows need 108.
  expect(() => matmulQ2_0(good)).toThrow(
    "Cannot use 54 bytes as Q2_0 weights: rows = 3 and n = 128 need 108. ",
  );
});

Deno.test("a dot refuses rows that do not lie within their bytes", () => {
  expect(dotQ1_0(128, bytes(20), 2, bytes(137), 1)).toBe(0);
  expect(() => dotQ1_0(128, bytes(20), 3, bytes(136), 0)).toThrow(
    "Cannot read 18 bytes of Q1_0 (n = 128) at byte 3: there are 20 bytes. " +
      "Pass a start in bytes that leaves room for the whole row.",
  );
  expect(() => dotQ1_0(128, bytes(18), -1, bytes(136), 0)).toThrow("at byte -1");
  expect(() => dotQ1_0(128, bytes(18), 0, bytes(135), 0)).toThrow("136 bytes of q8_0 (n = 128)");
  expect(() => dotQ2_0(64, bytes(18), 0, bytes(68), 0.5)).toThrow("at byte 0.5");
  expect(() => dotQ2_0(96, bytes(36), 0, bytes(102), 0)).toThrow("into Q2_0 blocks");
});

Deno.test("Q2_0 dequantizes its four codes, with the zeros' signs", () => {
  const block = bytes(18);
  block.set([0x00, 0xc0, 0b11_10_01_00]); // scale −2; codes 0, 1, 2, 3
  const bits = dequantizeQ2_0(block);
  expect(bits.length).toBe(64);
  expect([...bits.subarray(0, 5)]).toEqual([2, -0, -2, -4, 2].map(bitsOfF32));
});

Deno.test("a NaN scale gives the canonical NaN, an infinite one infinities and NaN", () => {
  const block = bytes(18);
  block.set([0x01, 0x7c, 1]);
  expect(new Set(dequantizeQ1_0(block))).toEqual(new Set([0x7fc00000]));
  block.set([0x00, 0x7c, 0b01_00]);
  expect([...dequantizeQ2_0(block).subarray(0, 2)]).toEqual([0xff800000, 0x7fc00000]);
});

Deno.test("unpackQ8_0 reads scales and signed quants from any byte on", () => {
  const packed = bytes(69);
  packed.set([0x00, 0x3c, 0x80, 0x7f], 1);
  packed.set([0x01, 0x80, 0xff], 35);
  const { scales, quants } = unpackQ8_0(64, packed, 1);
  expect([...scales]).toEqual([1, -(2 ** -24)]);
  expect([quants[0], quants[1], quants[32]]).toEqual([-128, 127, -1]);
});

Deno.test("the reference names itself and its version", () => {
  expect(REFERENCE).toEqual({ name: "samebits", version: 1 });
});
