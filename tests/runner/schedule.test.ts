/** What becomes of the other checks when one breaks its run. */
import { expect } from "expect";
import { quickCases } from "../../cases/mod.ts";
import type { Executor, Outcome } from "../../tools/runner/executor.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Check, Result } from "../../tools/runner/verdict.ts";

const checks: Check[] = quickCases().slice(0, 30).flatMap(({ address }) =>
  ["GOOD", "BAD"].map((kernel) => ({ kernel, address, workgroup: 64 }))
);

/** Passes everything but batches with a check that is to break. */
class FakeExecutor implements Executor {
  readonly batches: number[] = [];

  constructor(readonly breaks: (check: Check) => boolean, readonly fatal: boolean) {}

  run(batch: readonly Check[]): Promise<Outcome> {
    this.batches.push(batch.length);
    return Promise.resolve(
      batch.some(this.breaks) ? { kind: "broken", message: "It broke.", fatal: this.fatal } : {
        kind: "results",
        results: batch.map((check) => ({ check, verdict: { kind: "pass", words: 1 } })),
      },
    );
  }
}

async function run(executor: Executor) {
  const results = await Array.fromAsync(runChecks(executor, checks));
  expect(results.length).toBe(checks.length);
  expect(new Set(results.map(({ check }) => check)).size).toBe(checks.length);
  return results;
}

Deno.test("checks that pass run together", async () => {
  const executor = new FakeExecutor(() => false, true);
  const results = await run(executor);
  expect(results.every(({ verdict }) => verdict.kind === "pass")).toBe(true);
  expect(executor.batches).toEqual([checks.length]);
});

Deno.test("one check that breaks its run costs only its own verdict", async () => {
  const guilty = checks[17]!;
  const results = await run(new FakeExecutor((check) => check === guilty, true));
  const failed = results.filter(({ verdict }) => verdict.kind !== "pass");
  expect(failed).toEqual([
    {
      check: guilty,
      verdict: { kind: "error", ran: true, message: "It broke." },
      seconds: expect.any(Number),
    },
  ]);
});

Deno.test("a batch's time is shared by work among the checks that ran in it", async () => {
  const [small, large, unsupported] = [
    "rows=1,n=128,cols=1",
    "rows=256,n=2048,cols=9",
    "rows=2,n=128,cols=1",
  ]
    .map((shape) => ({ kernel: "K", address: `q1_0_matmul/tile:${shape},seed=1`, workgroup: 64 }));
  const results = await Array.fromAsync(runChecks({
    run: async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return {
        kind: "results",
        results: batch.map((check) => ({
          check,
          verdict: check === unsupported
            ? { kind: "unsupported", reason: "too small" }
            : { kind: "pass", words: 1 },
        })),
      };
    },
  }, [small!, large!, unsupported!]));
  const [first, second, third] = results.map(({ seconds }) => seconds);
  expect(third).toBeUndefined();
  expect(first! + second!).toBeGreaterThan(0.045);
  // 50,000 for being a check at all, and its weight products: 128 and 256 · 2,048 · 9.
  expect(second! / first!).toBeCloseTo((50_000 + 4_718_592) / (50_000 + 128), 0);
});

Deno.test("a kernel that breaks every run is given up, and all others are run", async () => {
  const executor = new FakeExecutor(({ kernel }) => kernel === "BAD", true);
  const results = await run(executor);
  const bad = results.filter(({ check }) => check.kernel === "BAD").map(({ verdict }) => verdict);
  expect(results.filter(({ verdict }) => verdict.kind === "pass").length).toBe(30);
  expect(bad.filter((verdict) => verdict.kind === "error" && verdict.ran).length).toBe(2);
  const abandoned = bad.filter((verdict) => verdict.kind === "error" && !verdict.ran);
  expect(abandoned.length).toBe(28);
  expect(abandoned[0]).toMatchObject({ message: expect.stringContaining("broken 2 runs") });
  expect(executor.batches.length).toBe(1 + 30 + 2); // together, each good one alone, two bad ones
});

Deno.test("verdicts that are not those of the batch are a defect, never a result", async () => {
  for (
    const wrong of [(r: Result[]) => r.slice(1), (r: Result[]) => [r.at(-1)!, ...r.slice(0, -1)]]
  ) {
    const executor: Executor = {
      run: (batch) =>
        Promise.resolve({
          kind: "results",
          results: wrong(batch.map((check) => ({ check, verdict: { kind: "pass", words: 1 } }))),
        }),
    };
    await expect(run(executor)).rejects.toThrow(/not those of its batch/);
  }
});

Deno.test("a refused call is no reason to give a kernel up", async () => {
  const results = await run(new FakeExecutor(({ kernel }) => kernel === "BAD", false));
  const ran = results.filter(({ verdict }) => verdict.kind === "error" && verdict.ran);
  expect(ran.length).toBe(30);
});
