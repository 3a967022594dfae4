/** The adapter beside the one that a run uses. */
import { expect } from "expect";
import { chooseAdapter } from "../../tools/adapters/choose.ts";
import { embeddedIsHere } from "../../tools/adapters/embedded/embedded.ts";
import { secondAdapter } from "../../tools/adapters/second.ts";
import { GOLDEN_FOLDER } from "../../tools/goldens/store.ts";
import { adapterName } from "../../tools/runner/adapter.ts";
import { wishOfTests } from "../support/gpu.ts";

Deno.test("the second adapter is another one that is here; none is fetched, nor the same taken", async () => {
  const work = { goldenFolder: GOLDEN_FOLDER.href, repeats: 1, texts: [] };
  const wish = await wishOfTests();
  const chosen = await chooseAdapter(wish, work, 30);
  const opened = [chosen];
  try {
    const all = { ...work, chosen, limit: 30 };
    expect(await secondAdapter(all, "none")).toBe(undefined);
    await expect(secondAdapter(all, wish.adapter ?? "default")).rejects.toThrow(/is the same one/);
    await expect(secondAdapter(all, "nosuch")).rejects.toThrow(/Cannot find adapter "nosuch"/);
    const wasHere = embeddedIsHere();
    const second = await secondAdapter(all);
    if (second) opened.push(second);
    expect(embeddedIsHere()).toBe(wasHere);
    if (second) expect(adapterName(second.adapter)).not.toBe(adapterName(chosen.adapter));
    // With the embedded one here there are two, as the tests' own is another, or there is a driver.
    if (wasHere && wish.adapter !== "embedded") expect(second).not.toBe(undefined);
  } finally {
    for (const { executor } of opened) executor.close();
  }
});
