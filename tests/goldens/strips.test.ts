/** Goldens that hold a digest of each strip of rows. */

import assert from "assert";
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { GoldenStore } from "../../tools/goldens/store.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor, type GoldenSource } from "../../tools/runner/device_executor.ts";
import { poisonFor } from "../../tools/runner/poison.ts";
import { digestStrips, judgeStrips } from "../../tools/runner/strips.ts";
import type { Verdict } from "../../tools/runner/verdict.ts";
import { plant } from "../support/faults.ts";
import { testAdapter } from "../support/gpu.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";
import { kernelNamed } from "../support/faults.ts";

// Two strips of 256 rows and one of 88, in three columns.
const GRID = { rows: 600, cols: 3 };
const RIGHT = Uint32Array.from({ length: 1800 }, (_, i) => 0x3f800000 + i);
const NEVER_WRITTEN = poisonFor(0);

function referenceRows({ first, count }: { first: number; count: number }): Uint32Array {
  return Uint32Array.from(
    { length: count * GRID.cols },
    (_, i) => RIGHT[Math.floor(i / count) * GRID.rows + first + i % count]!,
  );
}

/** What an output comes to whose words are right but for some, in each repetition. */
async function judge(
  ...repeats: readonly (readonly [row: number, col: number, word: number])[][]
): Promise<Verdict> {
  const golden = await digestStrips(RIGHT, GRID, "f32");
  const outputs = repeats.map((wrong) => {
    const words = RIGHT.slice();
    for (const [row, col, word] of wrong) words[col * GRID.rows + row] = word;
    return words;
  });
  return await judgeStrips(golden, { repeats: outputs, overrun: 0 }, GRID, "f32", referenceRows);
}

function mismatchOf(verdict: Verdict) {
  assert(verdict.kind === "differ", `the verdict is ${verdict.kind}`);
  return verdict.mismatch;
}

Deno.test("right words pass", async () => {
  expect(await judge([], [])).toEqual({ kind: "pass", words: 1800 });
});

Deno.test("a wrong word names its strip, and is shown like any other", async () => {
  const right = RIGHT[2 * 600 + 520]!;
  const mismatch = mismatchOf(await judge([[520, 2, right + 3], [599, 1, 0]]));
  expect(mismatch.strip).toEqual({ first: 512, count: 88, strips: 3, differing: 1 });
  expect([mismatch.words, mismatch.differing]).toEqual([264, 2]);
  expect(mismatch.rows).toEqual([520, 599]);
  const wrong = mismatchOf(await judge([[520, 2, right + 3]]));
  expect(wrong.first).toEqual({ row: 520, col: 2, expected: right, actual: right + 3 });
  expect(wrong.largestUlp).toBe(3);
  expect(wrong.neighbours.map(({ row }) => row)).toEqual([518, 519, 521, 522]);
});

Deno.test("the first of several wrong strips is shown, and all are counted", async () => {
  const { strip, first } = mismatchOf(await judge([[300, 0, 1], [0, 2, 1]]));
  expect(strip).toEqual({ first: 0, count: 256, strips: 3, differing: 2 });
  expect(first?.row).toBe(0);
});

Deno.test("a word that was never written is told from a wrong one", async () => {
  const mismatch = mismatchOf(await judge([[255, 1, NEVER_WRITTEN]]));
  expect([mismatch.differing, mismatch.unwritten]).toEqual([1, 1]);
});

Deno.test("a word that moves between repetitions is a race", async () => {
  const mismatch = mismatchOf(await judge([], [[256, 0, 1]]));
  expect(mismatch.moving).toEqual({ repeats: 2, words: 1 });
  expect(mismatch.strip?.first).toBe(256);
});

Deno.test("words written past the end differ although every strip is right", async () => {
  const golden = await digestStrips(RIGHT, GRID, "f32");
  const output = { repeats: [RIGHT], overrun: 4 };
  const mismatch = mismatchOf(await judgeStrips(golden, output, GRID, "f32", referenceRows));
  expect([mismatch.overrun, mismatch.differing]).toEqual([4, 0]);
});

Deno.test("a digest that is out of date is an error, and no kernel is blamed", async () => {
  const golden = await digestStrips(
    RIGHT.map((word, i) => i === 300 ? word + 1 : word),
    GRID,
    "f32",
  );
  const output = { repeats: [RIGHT], overrun: 0 };
  const verdict = await judgeStrips(golden, output, GRID, "f32", referenceRows);
  expect(verdict).toMatchObject({
    kind: "error",
    message: expect.stringMatching(/digest of rows 256 to 511 .* out of date.*deno task golden/),
  });
});

Deno.test("a result with a NaN is refused: what was never written could hide behind it", async () => {
  const words = RIGHT.slice();
  words[601] = 0x7fc00000;
  await expect(digestStrips(words, GRID, "f32")).rejects.toThrow(
    /NaN at row 1, column 1, .* Let the golden/,
  );
});

Deno.test("integers that look like a NaN are digested; the poison is refused", async () => {
  const words = RIGHT.slice();
  words[601] = 0x7fc00000;
  const golden = await digestStrips(words, GRID, "u32");
  const judge = (output: Uint32Array) =>
    judgeStrips(
      golden,
      { repeats: [output], overrun: 0 },
      GRID,
      "u32",
      ({ first, count }) =>
        Uint32Array.from(
          { length: count * GRID.cols },
          (_, i) => words[Math.floor(i / count) * GRID.rows + first + i % count]!,
        ),
    );
  expect((await judge(words)).kind).toBe("pass");
  const other = words.slice();
  other[601] = 0x7fc00001;
  expect(mismatchOf(await judge(other))).toMatchObject({
    differing: 1,
    integers: true,
    largestUlp: 1,
  });
  words[601] = NEVER_WRITTEN;
  await expect(digestStrips(words, GRID, "u32")).rejects.toThrow(
    /poison of unwritten words at row 1/,
  );
});

const FULL = "q1_0_matmul/full:model=8B,matrix=attn_k,cols=1,seed=3";

async function runOnGpu(kernel: Kernel, golden: GoldenSource): Promise<Verdict> {
  let device: GPUDevice | undefined;
  const executor = new DeviceExecutor({
    open: async () => device = await openDevice(await testAdapter()),
    kernels: [kernel],
    golden,
  });
  const checks = [{ kernel: kernel.name, address: FULL, workgroup: 64 }];
  const outcome = await executor.run(checks);
  device?.destroy();
  assert(outcome.kind === "results", JSON.stringify(outcome));
  return outcome.results[0]!.verdict;
}

const store = new GoldenStore();
const stored: GoldenSource = (subject) => Promise.resolve(store.golden(subject));

Deno.test("each listed case held as digests runs with --full only", () => {
  const full = store.cases().filter(({ family, parsed }) => family.hasStrips(parsed));
  expect(full.length).toBe(15);
  expect(full.filter(({ family, parsed }) => !family.isLarge(parsed))).toEqual([]);
});

Deno.test("on a GPU: the kernels give the stored digests", async () => {
  assert(!(store.golden(caseAt(FULL)) instanceof Uint32Array));
  for (const kernel of [...ENGINE_KERNELS, kernelNamed("Q1_ROWS")]) {
    expect((await runOnGpu(kernel, stored)).kind).toBe("pass");
  }
});

const STORE = "O[row] = bitcast<u32>(even + odd);";
const FAULTS = [
  {
    name: "one word off by one bit",
    to: "O[row] = bitcast<u32>(even + odd) ^ select(0u, 1u, row == 700u);",
    found: { differing: 1, unwritten: 0, largestUlp: 1, rows: [700] },
  },
  {
    name: "three words not written",
    to: `if (row < 700u || row > 702u) { ${STORE} }`,
    found: { differing: 3, unwritten: 3, rows: [700, 701, 702] },
  },
];

for (const { name, to, found } of FAULTS) {
  Deno.test(`on a GPU: ${name}, in the third strip`, async () => {
    const kernel = plant({ name, kernel: "Q1_DOT", replace: [[STORE, to]] });
    const mismatch = mismatchOf(await runOnGpu(kernel, stored));
    expect(mismatch).toMatchObject(found);
    expect(mismatch.strip).toEqual({ first: 512, count: 256, strips: 4, differing: 1 });
  });
}
