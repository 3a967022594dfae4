/** What runs of several adapters came to together. */
import { expect } from "expect";
import { matrixOf } from "../../tools/report/matrix.ts";
import { matrixLines } from "../../tools/report/matrix_text.ts";
import type { RunRecord } from "../../tools/report/record.ts";
import type { BenchRecord } from "../../tools/timing/bench_record.ts";
import type { Verdict } from "../../tools/runner/verdict.ts";
import { DIFFERING, digestOf, NOT_COMPILING, RECORD, result } from "./record.ts";

const PASS: Verdict = { kind: "pass", words: 100 };
const UNSUPPORTED: Verdict = { kind: "unsupported", reason: "too large" };

/** A run of these verdicts by kernel, each check a quarter of a second. */
function run(
  adapter: string,
  verdicts: Record<string, Verdict[]>,
  changes: Partial<RunRecord> = {},
) {
  const results = Object.entries(verdicts).flatMap(([kernel, list]) =>
    list.map((verdict, i) => ({ ...result(kernel, verdict, `a/b:seed=${i}`), seconds: 0.25 }))
  );
  return {
    ...RECORD,
    adapter: { ...RECORD.adapter, description: adapter },
    texts: Object.fromEntries(Object.keys(verdicts).map((kernel) => [kernel, digestOf(kernel)])),
    planned: results.length,
    results,
    ...changes,
  };
}

/** The verdicts of the cells, a kernel a line. */
const verdictsOf = (...runs: RunRecord[]) =>
  matrixOf(runs).cells.map((cells) => cells.map(({ verdict }) => verdict).join(" "));

Deno.test("shards of an adapter are one column; what they found adds up", () => {
  const { kernels, adapters, cells } = matrixOf([
    run("A", { K: [PASS, PASS] }),
    run("B", { K: [PASS] }),
    run("A", { K: [PASS, DIFFERING] }),
  ]);
  expect(kernels).toEqual(["K"]);
  expect(adapters.map(({ name, runs }) => [name, runs.length])).toEqual([["A", 2], ["B", 1]]);
  expect(cells).toMatchObject([[
    {
      verdict: "differ",
      checks: 4,
      words: 3 * 100 + 1280,
      seconds: 1,
      counts: { pass: 3, differ: 1 },
    },
    { verdict: "pass", checks: 1, words: 100, seconds: 0.25 },
  ]]);
});

Deno.test("a driver that keeps other rules is another column", () => {
  const profile = (hash: string) => ({ key: `a.${hash}`, hash, rules: {} });
  const { adapters } = matrixOf([
    run("A", { K: [PASS] }, { profile: profile("11111111") }),
    run("A", { K: [PASS] }, { profile: profile("22222222") }),
  ]);
  expect(adapters.map(({ key }) => key)).toEqual(["a.11111111", "a.22222222"]);
});

Deno.test("the worst that happened is the cell's verdict", () => {
  expect(verdictsOf(run("A", { K: [PASS, DIFFERING, NOT_COMPILING] }))).toEqual(["error"]);
  expect(verdictsOf(run("A", { K: [PASS, UNSUPPORTED] }))).toEqual(["pass"]);
  expect(verdictsOf(run("A", { K: [UNSUPPORTED] }))).toEqual(["unsupported"]);
  expect(verdictsOf(run("A", { K: [] }))).toEqual(["none"]);
});

Deno.test("a run that was cut short proves nothing, and hides no failure", () => {
  const cut = { complete: false };
  expect(verdictsOf(run("A", { K: [PASS], L: [DIFFERING] }, cut))).toEqual([
    "incomplete",
    "differ",
  ]);
  expect(verdictsOf(run("A", { K: [PASS] }, { planned: 9 }))).toEqual(["incomplete"]);
});

Deno.test("a kernel that was not run on an adapter is none there", () => {
  expect(verdictsOf(run("A", { K: [PASS], L: [PASS] }), run("B", { L: [PASS] }))).toEqual([
    "pass none",
    "pass pass",
  ]);
});

/** A profile of this adapter, by one version of Deno. */
const profileOf = (adapter: string, deno = "2_9_6") => ({
  profile: { key: `${adapter}.00000000.11111111.deno_${deno}`, hash: "11111111", rules: {} },
});

/** A bench with one comparison a shape. */
function bench(
  key: string,
  shapes: readonly (readonly [kernel: string, ratio: number, kind: "slower" | "no change"])[],
): BenchRecord {
  const results = shapes.map(([kernel, estimate, kind]) => ({
    target: { kernel },
    comparison: { ratio: { low: estimate, estimate, high: estimate }, verdict: { kind } },
  }));
  return { environment: { key }, results } as unknown as BenchRecord;
}

Deno.test("times stand beside the checks of the same adapter and WebGPU, and nowhere else", () => {
  const runs = [
    run("A", { K: [PASS], L: [PASS] }, profileOf("a")),
    run("B", { K: [PASS] }, profileOf("b")),
    run("C", { K: [PASS] }, { backend: "metal" }),
  ];
  const { cells } = matrixOf(runs, [
    bench("a.00000000.11111111.deno_2_9_6.vulkan.some_processor", [
      ["K", 1.01, "no change"],
      ["K", 1.2, "slower"],
    ]),
    bench("b.00000000.11111111.deno_2_9_60.vulkan", [["K", 2, "slower"]]),
    bench("b.00000000.11111111.deno_2_9_6.metal", [["K", 2, "slower"]]),
    bench("b.00000000.11111111.deno_2_9_6.vulkan2", [["K", 2, "slower"]]),
  ]);
  expect(cells.map((row) => row.map(({ time }) => time))).toEqual([
    [{ shapes: 2, worst: 1.2, verdict: "slower" }, undefined, undefined],
    [undefined, undefined, undefined],
  ]);
});

Deno.test("the terminal shows a line for each kernel on each adapter", () => {
  const a = run("A", { K: [PASS, DIFFERING] }, profileOf("a"));
  const matrix = matrixOf([a, run("Bcd", { K: [PASS, UNSUPPORTED] })], [
    bench(`${profileOf("a").profile.key}.vulkan`, [["K", 1.2, "slower"]]),
  ]);
  expect(matrixLines(matrix).join("\n")).toBe(`\
adapter  A (hardware)
         backend vulkan, profile 11111111, 1 run
adapter  Bcd (hardware)
         backend vulkan, profile not measured, 1 run
kernel     adapter verdict                checks          words   seconds   against baseline
K          A       1 differ                    2          1,380      0.50   slower (at worst +20.0 %, 1 shape)
           Bcd     pass, 1 unsupported         2            100      0.50
`);
});
