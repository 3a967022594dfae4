import assert from "assert";
import { expect } from "expect";
import {
  dequantizeQ1_0,
  dequantizeQ8_0,
  divF32,
  f16OfF32,
  mulF32,
  quantizeQ8_0,
} from "../../reference/mod.ts";
import { readSections, vectorCases, vectorOps, words } from "./vectors.ts";
import { assertSameWords } from "./words.ts";

Deno.test("the vectors hold exactly the operations that these tests know", () => {
  expect(vectorOps()).toEqual([
    "dequantize_row_q1_0",
    "dequantize_row_q8_0",
    "q1_0_dot",
    "q2_0_dot",
    "quantize_row_q8_0",
  ]);
});

for (const entry of vectorCases("quantize_row_q8_0")) {
  Deno.test(`ggml vector ${entry.id}`, async () => {
    const { a, y } = await readSections(entry);
    const values = new Float32Array(words(a).buffer);
    expect(values.length).toBe(entry.rows * entry.n);
    expect(y.length).toBe(entry.outputs);
    assert.deepEqual(quantizeQ8_0(values), y);

    const quants = Array.from(y).filter((_, at) => at % 34 >= 2);
    expect(quants.filter((byte) => byte === 0x80).length).toBe(entry.quants_equal_minus128);

    const expectedWrong = entry.bytes_differing_from_quantize_row_q8_0_ref;
    // Undefined where ggml's other variant has no defined result (a cast of infinity to int8).
    if (expectedWrong === undefined) return;
    const wrong = otherVariant(values).filter((byte, at) => byte !== y[at]).length;
    expect(wrong).toBe(expectedWrong);
  });
}

for (const entry of vectorCases("dequantize_row_q1_0", "dequantize_row_q8_0")) {
  Deno.test(`ggml vector ${entry.id}`, async () => {
    const { w, y } = await readSections(entry);
    const dequantize = entry.op === "dequantize_row_q1_0" ? dequantizeQ1_0 : dequantizeQ8_0;
    const expected = words(y);
    expect(expected.length).toBe(entry.outputs);
    assertSameWords(dequantize(w), expected, entry.id);
  });
}

/** ggml's other q8_0 quantizer, the positive control: x · (1 / d), ties away from zero. */
function otherVariant(values: Float32Array): Uint8Array {
  const packed = new Uint8Array(values.length / 32 * 34);
  const view = new DataView(packed.buffer);
  for (let block = 0; block < values.length / 32; block++) {
    const chosen = values.subarray(block * 32, block * 32 + 32);
    const d = divF32(chosen.reduce((most, x) => Math.max(most, Math.abs(x)), 0), 127);
    const factor = d === 0 ? 0 : divF32(1, d);
    view.setUint16(block * 34, f16OfF32(d), true);
    chosen.forEach((x, j) => {
      const product = mulF32(x, factor);
      const magnitude = Math.floor(Math.abs(product) + 0.5);
      view.setInt8(block * 34 + 2 + j, product < 0 ? -magnitude : magnitude);
    });
  }
  return packed;
}
