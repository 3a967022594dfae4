import assert from "assert";
import { expect } from "expect";
import {
  dotQ1_0,
  dotQ2_0,
  matmulQ1_0,
  matmulQ2_0,
  Q1_0_BLOCK,
  Q2_0_BLOCK,
  Q8_0_BLOCK,
  quantizeQ8_0,
  rowBytes,
} from "../../reference/mod.ts";
import { readSections, type VectorCase, vectorCases, words } from "./vectors.ts";
import { assertSameWords, countDifferent, isNaNWord } from "./words.ts";
import { rightQ1_0, rightQ2_0, wrongQ1_0, wrongQ2_0 } from "./wrong_arithmetics.ts";

const families = {
  q1_0_dot: {
    layout: Q1_0_BLOCK,
    matmul: matmulQ1_0,
    dot: dotQ1_0,
    right: rightQ1_0,
    wrong: wrongQ1_0,
    uncaught: ["inner_mul_add"], // d1 · s is exact in f32: these are the right bits
  },
  q2_0_dot: {
    layout: Q2_0_BLOCK,
    matmul: matmulQ2_0,
    dot: dotQ2_0,
    right: rightQ2_0,
    wrong: wrongQ2_0,
    // The second is wrong, but no Q2_0 vector shows it: q2_0_trap.test.ts does.
    uncaught: ["inner_mul_add", "outer_fma_via_f64"],
  },
};

for (const [op, family] of Object.entries(families)) {
  for (const entry of vectorCases(op)) {
    Deno.test(`ggml vector ${entry.id}`, async () => {
      const { w, x, y, a } = await readSections(entry);
      const { rows, cols, n } = entry;
      const input = { rows, cols, n, weights: w, activations: x };
      const expected = words(y);
      assertManifestCounts(entry, expected);

      assertSameWords(family.matmul(input), expected, "matmul");
      const dots = new Uint32Array(rows * cols);
      for (let out = 0; out < dots.length; out++) {
        const weightsAt = (out % rows) * rowBytes(family.layout, n);
        const activationsAt = Math.floor(out / rows) * rowBytes(Q8_0_BLOCK, n);
        dots[out] = family.dot(n, w, weightsAt, x, activationsAt);
      }
      assertSameWords(dots, expected, "dot");

      if (a !== undefined) {
        const values = new Float32Array(words(a).buffer);
        assert.deepEqual(quantizeQ8_0(values), x, "activations quantized");
      }
    });

    Deno.test(`wrong arithmetics on ${entry.id}`, async () => {
      const { w, x, y } = await readSections(entry);
      const { rows, cols, n } = entry;
      const input = { rows, cols, n, weights: w, activations: x };
      const expected = words(y);
      expect(countDifferent(family.right(input), expected)).toBe(0);
      const counts = Object.fromEntries(
        Object.entries(family.wrong).map(([name, matmul]) => [
          name,
          countDifferent(matmul(input), expected),
        ]),
      );
      // The same names too: a variant the manifest counts and this file lacks is a failure.
      expect(counts).toEqual(entry.wrong_outputs_if);
    });
  }

  Deno.test(`the vectors of ${op} catch every wrong arithmetic but the known ones`, () => {
    const uncaught = Object.keys(family.wrong).filter((name) =>
      vectorCases(op).every((entry) => entry.wrong_outputs_if![name] === 0)
    );
    expect(uncaught).toEqual(family.uncaught);
  });
}

function assertManifestCounts(entry: VectorCase, expected: Uint32Array): void {
  const nan = expected.filter(isNaNWord).length;
  const infinite = expected.filter((word) => (word & 0x7fffffff) === 0x7f800000).length;
  const zero = expected.filter((word) => (word & 0x7fffffff) === 0).length;
  expect({ outputs: expected.length, nan, infinite, zero }).toEqual({
    outputs: entry.outputs,
    nan: entry.expected_nan,
    infinite: entry.expected_inf,
    zero: entry.expected_zero,
  });
  // Only where the manifest lets any NaN match any NaN may there be one.
  if (!entry.compare.includes("NaN")) expect(nan).toBe(0);
}
