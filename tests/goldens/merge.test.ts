/** Manifests of two branches. */

import { expect } from "expect";
import { formatManifest, parseManifest } from "../../tools/goldens/manifest.ts";
import { GoldenStore } from "../../tools/goldens/store.ts";

const manifest = new GoldenStore().manifest("q1_0_matmul");
const some = manifest.values().next().value!;

/** The project's manifest with goldens more. */
function withGoldens(...addresses: string[]): string {
  const added = addresses.map((address) => [address, some] as const);
  return formatManifest(new Map([...manifest, ...added]));
}

/** What git makes of two branches that began with the same manifest. */
async function merge(ours: string, theirs: string) {
  const folder = Deno.makeTempDirSync();
  const files = [ours, formatManifest(manifest), theirs].map((text, i) => {
    Deno.writeTextFileSync(`${folder}/${i}`, text);
    return `${folder}/${i}`;
  });
  const { code, stdout } = await new Deno.Command("git", { args: ["merge-file", "-p", ...files] })
    .output();
  Deno.removeSync(folder, { recursive: true });
  return { conflicts: code, text: new TextDecoder().decode(stdout) };
}

Deno.test("a change of one golden is one line of a diff", () => {
  const [address] = [...manifest.keys()].slice(50);
  const before = formatManifest(manifest).split("\n");
  const changed = new Map([...manifest, [address!, { ...some, reason: "another" }]]);
  const after = formatManifest(changed).split("\n");
  const lines = after.filter((line) => !before.includes(line));
  expect(lines.length).toBe(1);
  expect(lines[0]).toMatch(`    "${address}": {"reason":"another",`);
});

Deno.test("branches that add goldens in different places merge without conflict", async () => {
  const [ours, theirs] = ["tile:rows=1,n=128,cols=1,seed=9", "edge:rows=1,n=128,cols=1,seed=8"]
    .map((rest) => `q1_0_matmul/${rest}`) as [string, string];
  const { conflicts, text } = await merge(withGoldens(ours), withGoldens(theirs));
  expect(conflicts).toBe(0);
  expect(text).toBe(withGoldens(ours, theirs));
  expect(parseManifest(text, "merged").size).toBe(manifest.size + 2);
});

Deno.test("a conflict between neighbours is recognized by its marker", async () => {
  const [ours, theirs] = [8, 9].map((seed) => withGoldens(`q1_0_matmul/zz:seed=${seed}`));
  const { conflicts, text } = await merge(ours!, theirs!);
  expect(conflicts).toBe(1);
  expect(() => parseManifest(text, "merged")).toThrow(/unresolved conflict marker/);
});
