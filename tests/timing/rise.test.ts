/** Waiting for a card's clock to rise. */
import { expect } from "expect";
import { untilSteady } from "../../tools/timing/rise.ts";

/** A card on which a run takes a time by how long it has been busy, in nanoseconds. */
function card(runNs: (busy: number) => number) {
  let busy = 0;
  const span = (count: number) => {
    const ns = count * runNs(busy);
    busy += ns;
    return Promise.resolve(ns);
  };
  return { span, busy: () => busy };
}

Deno.test("each step of a rising clock is waited for, though each looks settled", async () => {
  const steps = card((busy) => busy < 0.8e9 ? 100e3 : busy < 1.6e9 ? 70e3 : 20e3);
  await untilSteady(steps.span);
  expect(steps.busy()).toBeGreaterThan(1.6e9 + 1e9 - 1);
  expect(steps.busy()).toBeLessThan(4e9);
});

Deno.test("a card at full speed is kept waiting for a second, and a restless one for five", async () => {
  const full = card(() => 20e3);
  await untilSteady(full.span);
  expect(full.busy()).toBeLessThan(1.5e9);
  const restless = card((busy) => 100e3 * 0.9 ** (busy / 0.5e9));
  await untilSteady(restless.span);
  expect(restless.busy()).toBeGreaterThan(5e9 - 1);
  expect(restless.busy()).toBeLessThan(6e9);
});
