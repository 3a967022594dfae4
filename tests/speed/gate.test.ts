/** The benchmark still runs. */
import { expect } from "expect";
import { measureGate } from "./gate.ts";

Deno.test("the gate's benchmark gives figures", async () => {
  const figures = await measureGate("smoke", ["*/trap:rows=1,*"], 1);
  expect(figures).toMatchObject({ what: "smoke", checks: 3, seconds: [expect.any(Number)] });
  expect(figures.checksPerSecond).toBeGreaterThan(0);
  expect(figures.peakMegabytes).toBeGreaterThan(10);
});
