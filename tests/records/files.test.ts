/** Records as files: whole at every moment, read back as they were, and refused where they are not. */
import { expect } from "expect";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { readDurations } from "../../tools/records/durations_file.ts";
import { readFolder } from "../../tools/records/folder.ts";
import { decoded, recordOf } from "../../tools/records/read.ts";
import { RecordFile } from "../../tools/records/record_file.ts";
import { testedTree } from "../../tools/records/tree.ts";
import { recordText } from "../../tools/report/record_text.ts";
import { DIFFERING, RECORD, result } from "../report/record.ts";
import { inFolder } from "../support/folder.ts";
import { EVERY_MERGED, EVERY_RUN, EVERY_UNSTARTED } from "./every_field.ts";

for (const record of [RECORD, EVERY_RUN, EVERY_UNSTARTED, EVERY_MERGED]) {
  Deno.test(`what is written is read back: ${record.kind}`, async () => {
    await inFolder(async (folder) => {
      for (const name of ["r.json", "r.json.gz"]) {
        const path = join(folder, name);
        new RecordFile(path).write(record);
        expect(await recordOf(decoded(Deno.readFileSync(path)))).toEqual(record);
      }
      expect([...Deno.readDirSync(folder)].length).toBe(2); // and nothing half done beside them
    });
  });
}

Deno.test("a record has a line for each result", () => {
  const lines = recordText(RECORD).split("\n").map((line) => line.replace(/,$/, ""));
  for (const one of RECORD.results) expect(lines).toContain(JSON.stringify(one));
});

Deno.test("a record is refreshed now and then, not with every check", async () => {
  await inFolder((folder) => {
    const path = join(folder, "r.json");
    const file = new RecordFile(path);
    let made = 0;
    const make = () => ({ ...RECORD, planned: ++made });
    for (let i = 0; i < 1000; i++) file.refresh(make);
    expect(made).toBe(1);
    expect(JSON.parse(Deno.readTextFileSync(path)).planned).toBe(1);
  });
});

Deno.test("a disk that is full ends no run before its end", async () => {
  await inFolder((folder) => {
    const file = new RecordFile(join(folder, "gone", "r.json"));
    file.refresh(() => RECORD);
    expect(() => file.write(RECORD)).toThrow(/Cannot write record .*gone.*Name a file in a folder/);
  });
});

Deno.test("5,000 checks with 200 failures are an artifact of some kilobytes", () => {
  const results = Array.from({ length: 5000 }, (_, i) => ({
    ...result(
      ["Q1_DOT", "Q1_MM", "Q1_MM4"][i % 3]!,
      i % 25 === 0 ? DIFFERING : { kind: "pass", words: i },
      `q1_0_matmul/tile:rows=${i},n=256,cols=5,seed=${i}`,
    ),
    seconds: i / 1e6,
  }));
  const text = recordText({ ...EVERY_RUN, results });
  expect(text.length).toBeLessThan(1_000_000);
  expect(gunzipSync(compressed(text)).length).toBe(text.length);
  expect(compressed(text).length).toBeLessThan(100_000);
});

function compressed(text: string): Uint8Array {
  const folder = Deno.makeTempDirSync();
  const path = join(folder, "r.json.gz");
  new RecordFile(path).write(JSON.parse(text));
  const bytes = Deno.readFileSync(path);
  Deno.removeSync(folder, { recursive: true });
  return bytes;
}

/** Files that are no record, and what is said of each. */
const DAMAGED: Readonly<Record<string, readonly [content: string | Uint8Array, says: RegExp]>> = {
  "empty.json": ["", /it is empty/],
  "cut.json": [recordText(RECORD).slice(0, 900), /it is not JSON/],
  "cut.json.gz": [compressed(recordText(RECORD)).subarray(0, 200), /cannot be unpacked/],
  "list.json": ["[1]", /no record: it has no format/],
  "null.json": ["null", /no record: it has no format/],
  "old.json": [
    '{"format":1,"samebits":"0.0.9","results":[]}',
    /its format is 1, written by samebits 0\.0\.9, and this one reads 2/,
  ],
  "field.json": [
    JSON.stringify({ ...RECORD, planned: "6" }),
    /it is damaged: \/planned must be integer/,
  ],
};

Deno.test("a folder's records are read, in folders of their own too, and each damage is named", async () => {
  await inFolder(async (folder) => {
    Deno.mkdirSync(join(folder, "artifact"));
    new RecordFile(join(folder, "artifact", "good.json.gz")).write(RECORD);
    new RecordFile(join(folder, "merged.json")).write(EVERY_MERGED);
    Deno.writeTextFileSync(join(folder, "r.json.part"), "half");
    Deno.writeTextFileSync(join(folder, "notes.txt"), "not a record");
    const bench = { format: 1, floorNs: 1, results: [], environment: {} };
    Deno.writeTextFileSync(join(folder, "bench.json"), JSON.stringify(bench));
    for (const [name, [content]] of Object.entries(DAMAGED)) {
      Deno.writeFileSync(
        join(folder, name),
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    const found = await readFolder(folder, join(folder, "merged.json"));
    expect(found.sources).toEqual([{ file: join("artifact", "good.json.gz"), record: RECORD }]);
    expect(found.benches).toEqual([bench]);
    const states = Object.fromEntries(found.unusable.map(({ file, state }) => [file, state]));
    expect(states).toEqual(Object.fromEntries(
      Object.entries(DAMAGED).map(([name, [, says]]) => [name, expect.stringMatching(says)]),
    ));
  });
});

Deno.test("durations come from the project's file or from a record, and from nothing else", async () => {
  const own = await readDurations();
  expect(Object.keys(own).length).toBeGreaterThan(800);
  await inFolder(async (folder) => {
    const path = join(folder, "r.json");
    new RecordFile(path).write(EVERY_MERGED);
    expect(Object.values(await readDurations(path))).toEqual([0.1875]); // 0.25, 0.25, 0.25 and 0
    new RecordFile(path).write(EVERY_UNSTARTED);
    await expect(readDurations(path)).rejects.toThrow(
      /Cannot cut the plan by .*no check of it ran/,
    );
    Deno.writeTextFileSync(path, '{"format":1,"seconds":{"a":-1}}');
    await expect(readDurations(path)).rejects.toThrow(/its format is 1/);
    await expect(readDurations(join(folder, "no"))).rejects.toThrow(/Cannot cut the plan by/);
  });
});

Deno.test("the tested tree: a commit, told from the same commit with changes, and from none", async () => {
  await inFolder(async (folder) => {
    expect(await testedTree(folder)).toBeUndefined();
    const git = (...args: string[]) =>
      new Deno.Command("git", {
        args: ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@b", ...args],
      }).outputSync();
    const file = join(folder, "a.wgsl");
    Deno.writeTextFileSync(file, "one\n");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "A text");
    const clean = await testedTree(folder);
    expect(clean).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    Deno.writeTextFileSync(join(folder, "report.json"), "{}"); // a report is no change
    expect(await testedTree(folder)).toEqual(clean);
    Deno.writeTextFileSync(file, "two\n");
    const changed = await testedTree(folder);
    expect(changed).toEqual({ ...clean, changes: expect.stringMatching(/^[0-9a-f]{64}$/) });
    Deno.writeTextFileSync(file, "three\n");
    expect((await testedTree(folder))!.changes).not.toBe(changed!.changes);
    git("add", "."); // staged is changed too
    expect((await testedTree(folder))!.changes).toMatch(/^[0-9a-f]{64}$/);
  });
});
