/** Storing goldens: all or nothing, once, and only when somebody looked. */

import assert from "assert";
import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { caseAt } from "../../cases/mod.ts";
import { acceptGoldens, type Disk } from "../../tools/goldens/accept.ts";
import { type FreshGolden, makeGolden } from "../../tools/goldens/fresh.ts";
import { samebits } from "../support/machine.ts";
import { Copy } from "./copies.ts";

const FAMILY = "q1_0_matmul";
const [FIRST, SECOND, THIRD] = [3, 4, 5].map((seed) =>
  `q1_0_matmul/random:${
    { 3: "rows=256,n=2048,cols=1", 4: "rows=64,n=4096,cols=4", 5: "rows=64,n=1024,cols=9" }[seed]
  },seed=${seed}`
) as [string, string, string];
const DESK = { CI: "" };

async function freshGolden(address: string): Promise<FreshGolden> {
  const subject = caseAt(address);
  const input = subject.family.input(subject.parsed);
  const words = subject.family.reference(input);
  return { subject, ...await makeGolden(subject, input, words, { module: "test" }) };
}

/** A disk on which the write of that number fails, as a full one does. */
function fullDisk(failing: number): Disk {
  let writes = 0;
  const write = <Given extends unknown[]>(real: (...given: Given) => void) => (...given: Given) => {
    if (writes++ === failing) throw new Error("No space left on device (os error 28)");
    real(...given);
  };
  return {
    writeFileSync: write(Deno.writeFileSync),
    copyFileSync: write(Deno.copyFileSync),
    renameSync: Deno.renameSync,
  };
}

Deno.test("a full disk leaves the old goldens whole, wherever it happens", async () => {
  using copy = new Copy();
  copy.write(FIRST, ""); // damage, so that there is something to store
  const fresh = [await freshGolden(FIRST)];
  const before = copy.everything();
  const accept = (disk: Disk) =>
    acceptGoldens(copy.store(), FAMILY, { fresh, removed: new Set(), reason: "test" }, disk);
  // Of the family alone; its manifest is the last that is written.
  const files = [...before.keys()].filter((name) => name.startsWith(`${FAMILY}/`)).length;
  for (const failing of [0, 1, Math.floor(files / 2), files - 2, files - 1]) {
    expect(() => accept(fullDisk(failing))).toThrow(
      /Cannot store goldens in .*: No space left on device .* Nothing was changed\. Make room/,
    );
    expect(copy.everything()).toEqual(before);
  }
  accept(fullDisk(files));
  expect(copy.message(FIRST)).toBe("");
});

Deno.test("a rename that fails leaves the old goldens whole", async () => {
  for (const failing of [0, 1]) {
    using copy = new Copy();
    const before = copy.everything();
    let renames = 0;
    const disk: Disk = {
      writeFileSync: Deno.writeFileSync,
      copyFileSync: Deno.copyFileSync,
      renameSync: (from, to) => {
        if (renames++ === failing) throw new Error("Permission denied");
        Deno.renameSync(from, to);
      },
    };
    const acceptance = {
      fresh: [await freshGolden(FIRST)],
      removed: new Set([SECOND]),
      reason: "",
    };
    expect(() => acceptGoldens(copy.store(), FAMILY, acceptance, disk)).toThrow(
      "Nothing was changed",
    );
    expect(copy.everything()).toEqual(before);
  }
});

Deno.test("a process killed between the renames leaves the old goldens readable", async () => {
  using copy = new Copy();
  const before = copy.everything();
  const { signal } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--allow-read",
      "--allow-write",
      "--allow-run",
      fileURLToPath(new URL("killed_accept.ts", import.meta.url)),
      copy.path,
      FIRST,
    ],
  }).output();
  expect(signal).toBe("SIGKILL");
  const folders = [...Deno.readDirSync(copy.path)].map(({ name }) => name).sort();
  expect(folders.filter((name) => name.includes(FAMILY))).toEqual([
    `.${FAMILY}.new`,
    `.${FAMILY}.old`,
  ]);
  expect(copy.message(FIRST)).toBe("");
  const compared = await samebits(["golden", "--golden", copy.path, "*/random*"], DESK);
  expect(compared.code).toBe(0);

  // The next accept begins where the old goldens are, and cleans up.
  const acceptance = { fresh: [], removed: new Set<string>(), reason: "" };
  acceptGoldens(copy.store(), FAMILY, acceptance);
  expect(copy.everything()).toEqual(before);
});

Deno.test("accepting stores what changed with its reason, and a second time nothing", async () => {
  using copy = new Copy();
  copy.write(FIRST, "");
  copy.editEntry(SECOND, () => undefined);
  const args = ["golden", "--golden", copy.path, "*/random*"];
  const compared = await samebits(args, DESK);
  expect(compared.code).toBe(1);
  expect(compared.err).toBe(""); // no bar where there is no terminal
  expect(compared.out).toMatch("1 new, 0 changed, 0 orphaned, 1 damaged");
  expect(compared.out).toMatch(`new       ${SECOND}`);
  expect(compared.out).toMatch(/damaged {3}Cannot read golden .*seed=3": the file is empty/);
  expect(compared.out).toMatch(/Nothing was written/);

  const accepting = [...args, "--accept", "--reason", "because"];
  const accepted = await samebits(accepting, DESK);
  expect(accepted.code).toBe(0);
  expect(accepted.out).toMatch("stored 2, removed 0");
  const manifest = copy.store().manifest(FAMILY);
  const reasons = [FIRST, SECOND, THIRD].map((address) => manifest.get(address)?.reason);
  expect(reasons).toEqual(["because", "because", expect.not.stringMatching("because")]);
  const stored = copy.everything();

  const again = await samebits(accepting, DESK);
  expect(again.code).toBe(0);
  expect(again.out).not.toMatch("stored");
  expect(copy.everything()).toEqual(stored);
});

Deno.test("a filter accepts a part", async () => {
  using copy = new Copy();
  for (const address of [FIRST, SECOND]) copy.write(address, "");
  const args = ["golden", "--golden", copy.path, "--accept", "--reason", "part", SECOND];
  expect((await samebits(args, DESK)).code).toBe(0);
  expect(copy.message(FIRST)).toMatch("the file is empty");
  expect(copy.message(SECOND)).toBe("");
});

Deno.test("orphans fail, and are removed by accepting them", async () => {
  using copy = new Copy();
  const gone = "q1_0_matmul/gone:rows=1,n=128,cols=1,seed=1";
  const alone = "q1_0_matmul/tile:rows=7,n=128,cols=2,seed=99";
  copy.editEntry(FIRST, (entry) => entry);
  copy.editManifest((text) => {
    const line = text.split("\n").find((one) => one.includes(FIRST))!;
    return text.replace(line, `${line.replace(FIRST, gone)}\n${line}`);
  });
  Deno.mkdirSync(new URL(".", copy.fileOf(gone)));
  copy.write(gone, copy.read(FIRST));
  copy.write(alone, copy.read(FIRST)); // a file only

  const both = ["golden", "--golden", copy.path, gone, alone];
  const compared = await samebits(both, DESK);
  expect(compared.code).toBe(1);
  expect(compared.out).toMatch("2 orphaned");
  expect(compared.out).toMatch(`orphaned  Golden "${gone}" belongs to no case`);
  const gated = await samebits(["gate", "--golden", copy.path, FIRST]);
  expect(gated.code).toBe(4);
  expect(gated.err).toMatch(`Golden "${alone}" belongs to no case`);

  expect((await samebits([...both, "--accept", "--reason", "gone"], DESK)).code).toBe(0);
  expect(copy.store().orphans(FAMILY)).toEqual([]);
  assert(![...copy.everything().keys()].some((name) => name.includes("gone")));
});

const REFUSED: readonly [
  name: string,
  args: string[],
  env: Record<string, string>,
  says: RegExp,
][] = [
  ["in CI", ["--accept", "--reason", "x"], { CI: "true" }, /the variable CI is set/],
  ["without a reason", ["--accept"], DESK, /without a reason/],
  ["with an empty reason", ["--accept", "--reason", " "], DESK, /without a reason/],
  ["with a reason and no --accept", ["--reason", "x"], DESK, /Cannot use --reason without/],
];

for (const [name, args, env, says] of REFUSED) {
  Deno.test(`accepting is refused ${name}`, async () => {
    using copy = new Copy();
    copy.write(FIRST, "");
    const { code, err } = await samebits(["golden", "--golden", copy.path, FIRST, ...args], env);
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(copy.read(FIRST).length).toBe(0);
  });
}

Deno.test("golden: nothing that matches is exit 5, an unreadable manifest exit 4", async () => {
  using copy = new Copy();
  expect((await samebits(["golden", "--golden", copy.path, "nosuch*"])).code).toBe(5);
  copy.editManifest(() => "");
  const { code, err } = await samebits(["golden", "--golden", copy.path]);
  expect(code).toBe(4);
  expect(err).toMatch(/Cannot read manifest .*: the file is empty/);
});
