/** The benchmark still runs. */
import { expect } from "expect";
import { ENGINE_ONLY } from "../support/engine_kernels.ts";
import { OWN_FMA } from "../support/faults.ts";
import { measureDiagnosis } from "./diagnosis.ts";
import { measureGate } from "./gate.ts";

Deno.test("the gate's benchmark gives figures", async () => {
  const figures = await measureGate("smoke", [...ENGINE_ONLY, "q1_0_matmul/trap:rows=1,*"], 1);
  expect(figures).toMatchObject({ what: "smoke", checks: 3, seconds: [expect.any(Number)] });
  expect(figures.checksPerSecond).toBeGreaterThan(0);
  expect(figures.peakMegabytes).toBeGreaterThan(10);
});

Deno.test("the diagnosis's benchmark gives figures", async () => {
  const address = "q1_0_matmul/trap:rows=1,n=256,cols=1,seed=4000";
  expect(await measureDiagnosis(OWN_FMA, address)).toBeGreaterThan(0);
});
