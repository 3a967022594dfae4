/** What a reviewer is told of a golden that changed. */

import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { bytesOfWords, sha256, wordsOfBytes } from "../../tools/goldens/bits.ts";
import { changeOf } from "../../tools/goldens/changes.ts";
import { changeLines } from "../../tools/goldens/describe.ts";
import type { GoldenEntry } from "../../tools/goldens/entry.ts";
import { makeGolden } from "../../tools/goldens/fresh.ts";
import { setupOf } from "../../tools/goldens/modules.ts";
import { Copy } from "./copies.ts";

const WORDS = "q1_0_matmul/random:rows=64,n=4096,cols=4,seed=4";
const STRIPS = "q1_0_matmul/full:model=8B,matrix=attn_k,cols=1,seed=3";

/** What would be printed of the golden, made anew and held against the copy. */
async function lineOf(copy: Copy, address: string): Promise<string | undefined> {
  const subject = caseAt(address);
  const input = subject.family.input(subject.parsed);
  const words = subject.family.reference(input);
  const golden = await makeGolden(subject, input, words, setupOf().modules);
  const change = changeOf({ subject, ...golden }, copy.store());
  return change && changeLines("q1_0_matmul", [change], [])[1]!.trim();
}

/** Stores other bits, as if an older reference had made them. */
function storeOther(
  copy: Copy,
  address: string,
  file: Uint8Array,
  edit: Partial<GoldenEntry> = {},
) {
  copy.write(address, file);
  copy.editEntry(address, (entry) => ({ ...entry, bits: sha256(file), ...edit }));
}

/** Three words are one, two and five steps off. */
function threeWordsOff(copy: Copy): Uint8Array {
  const words = wordsOfBytes(copy.read(WORDS));
  words[0]! += 1;
  words[7]! -= 2;
  words[9]! += 5;
  return bytesOfWords(words);
}

Deno.test("nothing is told of a golden that would not change", async () => {
  using copy = new Copy();
  expect(await lineOf(copy, WORDS)).toBeUndefined();
  expect(await lineOf(copy, STRIPS)).toBeUndefined();
});

Deno.test("other sources of the reference that give the same bits are no change", async () => {
  using copy = new Copy();
  copy.editEntry(WORDS, (entry) => ({ ...entry, module: "0".repeat(64) }));
  expect(await lineOf(copy, WORDS)).toBeUndefined();
});

Deno.test("the reference changed: how many words, and how far", async () => {
  using copy = new Copy();
  storeOther(copy, WORDS, threeWordsOff(copy));
  expect(await lineOf(copy, WORDS))
    .toBe(`changed   ${WORDS}: reference changed; 3 of 256 words differ, by up to 5 ulp`);
});

Deno.test("the reference's version changed, and no bit", async () => {
  using copy = new Copy();
  copy.editEntry(WORDS, (entry) => ({ ...entry, reference: "samebits 0" }));
  expect(await lineOf(copy, WORDS))
    .toBe(`changed   ${WORDS}: reference changed; 0 of 256 words differ`);
});

Deno.test("the inputs changed: by their digest, or by the generator's version", async () => {
  // Sources of the reference that were edited since, and gave the same bits, stay as they are stored.
  const { module } = setupOf().modules;
  for (const edit of [{ inputs: "0".repeat(64) }, { generator: 0 }]) {
    using copy = new Copy();
    storeOther(copy, WORDS, threeWordsOff(copy), { module, ...edit });
    expect(await lineOf(copy, WORDS))
      .toBe(`changed   ${WORDS}: inputs changed; 3 of 256 words differ, by up to 5 ulp`);
  }
});

Deno.test("both changed: by the reference's version, or by its sources", async () => {
  for (const edit of [{ reference: "samebits 0" }, { module: "0".repeat(64) }]) {
    using copy = new Copy();
    storeOther(copy, WORDS, threeWordsOff(copy), { inputs: "0".repeat(64), ...edit });
    expect(await lineOf(copy, WORDS)).toMatch(`${WORDS}: inputs and reference changed; 3 of 256`);
  }
});

Deno.test("a NaN that became a number has no distance", async () => {
  using copy = new Copy();
  const words = wordsOfBytes(copy.read(WORDS));
  words[3] = 0x7fc00000;
  storeOther(copy, WORDS, bytesOfWords(words));
  expect(await lineOf(copy, WORDS)).toMatch(/1 of 256 words differ$/);
});

Deno.test("of digests, the strips that differ are counted", async () => {
  using copy = new Copy();
  const file = copy.read(STRIPS);
  file[40]! ^= 1; // in the second of four strips
  storeOther(copy, STRIPS, file);
  expect(await lineOf(copy, STRIPS))
    .toBe(`changed   ${STRIPS}: reference changed; 1 of 4 strips differ`);
});

Deno.test("a golden that held words and shall hold digests changed in all words", async () => {
  using copy = new Copy();
  storeOther(copy, STRIPS, new Uint8Array(4 * 1024));
  copy.editEntry(STRIPS, ({ strip: _, ...entry }) => entry);
  expect(await lineOf(copy, STRIPS)).toMatch(/1,024 of 1,024 words differ$/);
});
