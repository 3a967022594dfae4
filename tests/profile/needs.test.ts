/** Checks that an adapter's arithmetic does not allow are unsupported, naming the rule. */
import { expect } from "expect";
import { type Case, caseAt } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { measureRules, type Rules } from "../../tools/profile/measure.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { DeviceExecutor } from "../../tools/runner/device_executor.ts";
import { planChecks } from "../../tools/runner/plan.ts";
import { computeGolden, prove } from "../../tools/runner/prove.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Result } from "../../tools/runner/verdict.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";
import { testAdapter } from "../support/gpu.ts";

async function run(cases: readonly Case[], rules?: Rules): Promise<Result[]> {
  const device = await openDevice(await testAdapter());
  const measured = rules ?? await measureRules(device);
  const executor = new DeviceExecutor({
    open: () => Promise.resolve(device),
    kernels: ENGINE_KERNELS,
    golden: computeGolden,
    rules: () => measured,
  });
  const results = await Array.fromAsync(
    runChecks(executor, planChecks(ENGINE_KERNELS, cases, [8])),
  );
  device.destroy();
  return results;
}

const reasons = (results: readonly Result[]) =>
  results.map(({ verdict }) => verdict.kind === "unsupported" ? verdict.reason : verdict.kind);

Deno.test("rows that need more rounds than the adapter makes do not differ: the rule is named", async () => {
  // Q1_DOT makes 15 rounds a block and Q1_MM4 17: with 65,535 rounds, Q1_MM4 can do 3,855 blocks and
  // Q1_DOT 4,369.
  for (const blocks of [3_800, 5_000]) {
    const long = caseAt(`q1_0_matmul/tile:rows=1,n=${128 * blocks},cols=1,seed=1`);
    for (const reason of reasons(await run([long]))) {
      expect(reason).toMatch(/^pass$|\(rule loop_rounds\)$/);
    }
  }
});

Deno.test("on an adapter with few rounds the long cases are unsupported, the short ones pass", async () => {
  const short = caseAt("q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1");
  const long = caseAt("q1_0_matmul/tile:rows=1,n=1280,cols=1,seed=1");
  expect(reasons(await run([short, long], { loop_rounds: 100 }))).toEqual([
    "pass",
    "pass",
    "pass",
    "needs 150 rounds of loops in an invocation; this adapter stops after 100 (rule loop_rounds)",
    "pass",
    "needs 170 rounds of loops in an invocation; this adapter stops after 100 (rule loop_rounds)",
  ]);
});

Deno.test("infinite scales need inf - inf to be NaN; finite ones do not", async () => {
  const at = (w: string) =>
    caseAt(`q1_0_matmul/edge:rows=9,n=1024,cols=1,w=${w},signs=random,a=engine,quants=any,seed=2`);
  const found = reasons(
    await run([at("engine"), at("infinite"), at("nan")], { infinity_minus_infinity: "zero" }),
  );
  expect(found.slice(0, 3)).toEqual(["pass", "pass", "pass"]);
  for (const reason of found.slice(3)) {
    expect(reason).toMatch(/^needs the rule infinity_minus_infinity: nan; .* says zero/);
  }
});

Deno.test("what a kernel itself needs is held against the rules, measured here where nobody did", async () => {
  const device = await openDevice(await testAdapter());
  const [kernel] = ENGINE_KERNELS as [Kernel];
  const needing = (answer: string): Kernel => ({
    ...kernel,
    needs: [{ rule: "packed_dot_signed", answer, why: "it says so" }],
  });
  const run = async (one: Kernel, rules?: Rules) => {
    const executor = new DeviceExecutor({
      open: () => Promise.resolve(device),
      kernels: [one],
      golden: computeGolden,
      rules: () => rules,
    });
    const short = caseAt("q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1");
    return reasons(await Array.fromAsync(runChecks(executor, planChecks([one], [short], [64]))));
  };
  expect(await run(needing("signed"))).toEqual(["pass"]);
  const wrong = /^needs the rule packed_dot_signed: odd; this adapter's profile says signed/;
  expect((await run(needing("odd")))[0]).toMatch(wrong);
  expect((await run(needing("odd"), { packed_dot_signed: "signed" }))[0]).toMatch(wrong);
  expect(await run(needing("odd"), { packed_dot_signed: "odd" })).toEqual(["pass"]);
  device.destroy();
});

Deno.test("prove: a kernel that the GPU rules out does not keep it from work; alone it proves nothing", async () => {
  const [kernel] = ENGINE_KERNELS as [Kernel];
  const needs = [{ rule: "packed_dot_signed", answer: "odd", why: "it says so" }];
  const ruledOut = { ...kernel, name: "RULED_OUT", needs };
  const cases = [caseAt("q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1")];
  const both = await prove(await testAdapter(), { kernels: [kernel, ruledOut], cases });
  expect(both.proven).toBe(true);
  expect(both.kernels.map(({ proven, ruledOut }) => ({ proven, ruledOut }))).toEqual([
    { proven: true, ruledOut: false },
    { proven: false, ruledOut: true },
  ]);
  expect((await prove(await testAdapter(), { kernels: [ruledOut], cases })).proven).toBe(false);
});
