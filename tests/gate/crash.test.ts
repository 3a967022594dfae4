/** A process that dies while it runs a batch. */
import { expect } from "expect";
import { quickCases } from "../../cases/mod.ts";
import { GOLDEN_FOLDER } from "../../tools/goldens/store.ts";
import type { ChildExecutor } from "../../tools/isolation/child_executor.ts";
import { runChecks } from "../../tools/runner/schedule.ts";
import type { Executor, Outcome } from "../../tools/runner/executor.ts";
import { type Check, countVerdicts } from "../../tools/runner/verdict.ts";
import { wishOfTests } from "../support/gpu.ts";
import { chooseAdapter } from "../../tools/adapters/choose.ts";

const checks: Check[] = quickCases().slice(0, 12).flatMap(({ address }) =>
  ["Q1_DOT", "Q1_MM"].map((kernel) => ({ kernel, address, workgroup: 64 }))
);

/** A guilty check brings the process down, as a driver's crash does. */
class Killer implements Executor {
  constructor(readonly child: ChildExecutor, readonly guilty: (check: Check) => boolean) {}

  run(batch: readonly Check[]): Promise<Outcome> {
    if (batch.some(this.guilty)) Deno.kill(this.child.pid!, "SIGABRT");
    return this.child.run(batch);
  }
}

Deno.test("a crash is an error that names the signal; the process is started again", async () => {
  const work = { goldenFolder: GOLDEN_FOLDER.href, repeats: 1, texts: [] };
  const { executor } = await chooseAdapter(await wishOfTests(), work, 30);
  const guilty = checks[5]!;
  const killer = new Killer(executor, (check) => check === guilty);
  const results = await Array.fromAsync(runChecks(killer, checks));
  executor.close();
  expect(countVerdicts(results)).toEqual({ pass: 23, differ: 0, error: 1, unsupported: 0 });
  const { verdict } = results.find(({ check }) => check === guilty)!;
  expect(verdict).toMatchObject({ message: expect.stringMatching(/was ended by SIGABRT/) });
});
