/** Comparing results as encodings: −0 is not +0, and a NaN equals any NaN. */

import assert from "assert";

/** Whether u32 bits are an f32 NaN. */
export function isNaNWord(bits: number): boolean {
  return (bits & 0x7fffffff) > 0x7f800000;
}

/** Whether two f32 results count as the same. */
export function sameWord(a: number, b: number): boolean {
  return a === b || (isNaNWord(a) && isNaNWord(b));
}

/** u32 bits for a reader. */
export function hex(bits: number): string {
  return `0x${(bits >>> 0).toString(16).padStart(8, "0")}`;
}

/** How many words differ. */
export function countDifferent(actual: Uint32Array, expected: Uint32Array): number {
  assert.equal(actual.length, expected.length, "number of outputs");
  let count = 0;
  for (let i = 0; i < actual.length; i++) if (!sameWord(actual[i], expected[i])) count++;
  return count;
}

/** Fails with the first differing word and the number of them. */
export function assertSameWords(actual: Uint32Array, expected: Uint32Array, what: string): void {
  const count = countDifferent(actual, expected);
  if (count === 0) return;
  const first = actual.findIndex((word, i) => !sameWord(word, expected[i]));
  assert.fail(
    `${what}: ${count} of ${expected.length} words differ, the first at ${first}: ` +
      `got ${hex(actual[first])}, expected ${hex(expected[first])}`,
  );
}
