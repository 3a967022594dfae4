/** `samebits watch`, as somebody meets it who saves sound and broken files. */
import { expect } from "expect";
import { ENDLESS, FAULTS, plant, SYNTAX_ERROR } from "../support/faults.ts";
import { pause, Watching } from "./watching.ts";

const TEXT = "kernels/q1_mm.wgsl";
const RECIPE = "kernels/q1_mm.ts";
const LIST = "cases/q1_0_matmul/list.ts";
const WRONG_ORDER =
  plant(FAULTS.find(({ name }) => name === "lanes summed in another order")!).text;

Deno.test("watch: shaders and recipes, sound and broken, and Ctrl-C", async () => {
  await Watching.on(["--kernel", "Q1_MM", "*/cancel:*"], async (watching) => {
    const text = watching.read(TEXT);
    const recipe = watching.read(RECIPE);

    const sound = await watching.save(TEXT, `${text}// sound\n`);
    expect(sound).toMatch(/^saved {4}kernels\/q1_mm\.wgsl$/m);
    expect(sound).toMatch(/^first {4}pass \d+ ms after the save: Q1_MM q1_0_matmul\/cancel:/m);
    expect(sound).toMatch(/^12 of 12 planned checks ran .*: 12 passed$/m);
    expect(sound).toMatch(/^PASSED \d+ ms after the save; it touches Q1_MM\./m);

    const wrong = await watching.save(TEXT, WRONG_ORDER);
    expect(wrong).toMatch(/^DIFFER {2}Q1_MM, workgroup \d+: q1_0_matmul\/cancel:/m);
    expect(wrong).toMatch(/again: deno task gate --kernel Q1_MM /);
    expect(wrong).toMatch(/^FAILED: \d+ checks/m);

    const syntax = await watching.save(TEXT, plant(SYNTAX_ERROR).text);
    expect(syntax).toMatch(/does not compile[^]*kernels\/q1_mm\.wgsl:\d+:\d+[^]*FAILED/);
    expect(await watching.save(TEXT, "")).toMatch(/does not compile[^]*FAILED/);
    await watching.saveInPlace(TEXT, `${text}// sound again\n`, /: 12 passed$[^]*^PASSED/m);
    expect(await watching.remove(TEXT)).toMatch(/PROBLEM {2}Cannot read kernels\/q1_mm\.wgsl/);
    expect(await watching.save(TEXT, text)).toMatch(/: 12 passed$[^]*^PASSED/m);

    const broken = await watching.save(RECIPE, `${recipe}\nthis is no TypeScript (`);
    expect(broken).toMatch(/PROBLEM .*SyntaxError[^]*q1_mm\.ts:\d+[^]*FAILED: 1 problem/);
    // A text that is saved meanwhile cannot run, and is not forgotten.
    expect(await watching.save(TEXT, WRONG_ORDER)).toMatch(/PROBLEM .*SyntaxError/);
    expect(await watching.save(RECIPE, recipe)).toMatch(/^DIFFER {2}Q1_MM/m);
    expect(await watching.save(TEXT, text)).toMatch(/^PASSED/m);
    const thrown = recipe.replace(/prepare: .*/, 'prepare: () => { throw new Error("planted") },');
    expect(await watching.save(RECIPE, thrown)).toMatch(/planted[^]*FAILED/);
    expect(await watching.save(RECIPE, recipe)).toMatch(/: 12 passed$[^]*^PASSED/m);

    const other = await watching.save("kernels/q1_dot.wgsl", "// not chosen\n");
    expect(other).toMatch(/Nothing to run[^]*^DONE/m);

    expect((await watching.processes()).length).toBeGreaterThan(1);
    expect(await watching.interrupt()).toBe(0);
    await pause(200);
    expect(await watching.processes()).toEqual([]);
  });
});

Deno.test("watch: of cases, those run again whose input or golden is another one", async () => {
  await Watching.on(["--kernel", "Q1_DOT", "*/trap:*", "*/odd:*"], async (watching) => {
    const list = watching.read(LIST);
    const family = watching.read("cases/q1_0_matmul/family.ts");
    await pause(500); // it looks at the cases in its idle time

    expect(await watching.save(LIST, `${list}// nothing\n`)).toMatch(/Nothing to run/);

    const moved = list.replace("seed: 5000 + i", "seed: 6000 + i");
    const missing = await watching.save(LIST, moved);
    expect(missing).toMatch(/PROBLEM {2}Cannot read golden "q1_0_matmul\/odd:.*seed=6000"/);
    expect(missing).toMatch(/FAILED: 5 problems/);
    expect(await watching.save(LIST, list)).toMatch(/^5 of 5 planned .*: 5 passed$/m);

    const redrawn = family.replace('"seed", 0)', '"seed", 0) + 1');
    const another = await watching.save("cases/q1_0_matmul/family.ts", redrawn);
    expect(another).toMatch(/was made from another input.*deno task golden --accept/);
    expect(another).toMatch(/FAILED: 17 problems/);
    const back = await watching.save("cases/q1_0_matmul/family.ts", family);
    expect(back).toMatch(/^17 of 17 planned .*: 17 passed$/m);

    // As an accept does: another digest of one golden.
    const manifest = watching.read("golden/q1_0_matmul/manifest.json");
    const changed = manifest.replace(/("q1_0_matmul\/odd:rows=1,.*"bits":")[0-9a-f]{4}/, "$1ffff");
    expect(await watching.save("golden/q1_0_matmul/manifest.json", changed)).toMatch(
      /PROBLEM {2}Cannot read golden "q1_0_matmul\/odd:rows=1,[^]*FAILED: 1 problem/,
    );
    expect(await watching.save("golden/q1_0_matmul/manifest.json", manifest)).toMatch(
      /^1 of 1 planned .*: 1 passed$/m,
    );
  });
});

// On SwiftShader, since Mesa's driver ends such a loop by itself.
Deno.test("watch: an endless loop is killed, or overtaken by the next save", async () => {
  const args = ["--adapter", "embedded", "--limit", "2", "--kernel", "Q1_MM", "*/trap:*"];
  await Watching.on(args, async (watching) => {
    const text = watching.read(TEXT);
    const endless = plant(ENDLESS).text;
    expect(await watching.save(TEXT, endless)).toMatch(/No end within 2 s: it hangs[^]*FAILED/);
    expect(await watching.save(TEXT, text)).toMatch(/: 12 passed$[^]*^PASSED/m);
    watching.write(TEXT, endless);
    await pause(500);
    const overtaken = await watching.save(TEXT, text);
    expect(overtaken).not.toMatch(/No end within/);
    expect(overtaken).toMatch(/: 12 passed$[^]*^PASSED/m);
    watching.write(TEXT, endless);
    await pause(500);
    expect(await watching.interrupt()).toBe(0);
    await pause(200);
    expect(await watching.processes()).toEqual([]);
  });
});

Deno.test("watch: a glob that matches nothing waits for what will", async () => {
  await Watching.on(["--kernel", "Q1_DOT", "*/odd:*seed=6000"], async (watching) => {
    const list = watching.read(LIST);
    const moved = list.replace("seed: 5000 + i", "seed: 6000 + i");
    expect(await watching.save(LIST, moved)).toMatch(/PROBLEM .*seed=6000": there is none/);
  });
});
