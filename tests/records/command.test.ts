/** Shards, killed runs and merges, as a person and as CI meet them. */
import { expect } from "expect";
import { join } from "node:path";
import { recordOf } from "../../tools/records/read.ts";
import type { RunRecord, SavedRecord, UnstartedRecord } from "../../tools/report/record.ts";
import {
  type Fault,
  FAULTS,
  MOVING,
  OVERRUN,
  OWN_FMA,
  plant,
  SYNTAX_ERROR,
  UNWRITTEN,
} from "../support/faults.ts";
import { inFolder } from "../support/folder.ts";
import { samebits, startSamebits } from "../support/machine.ts";
import { fromFileUrl } from "../support/paths.ts";
import { ENGINE_ONLY } from "../support/engine_kernels.ts";

const CASES = "q1_0_matmul/trap:*";
/** Cases of CASES times kernels. */
const CHECKS = 36;

async function readRecord(path: string): Promise<SavedRecord> {
  const record = await recordOf(JSON.parse(Deno.readTextFileSync(path)));
  if (typeof record === "string") throw new Error(`${path}: ${record}`);
  return record;
}

const MISTAKES: readonly [args: string[], code: number, says: RegExp][] = [
  [
    ["gate", "--shard", "0/5"],
    2,
    /'0\/5' is invalid\. Parts are counted from 1: from 1\/5 to 5\/5/,
  ],
  [["gate", "--shard", "6/5"], 2, /Parts are counted from 1/],
  [["gate", "--shard", "2/0"], 2, /at least 1 part/],
  [["gate", "--shard", "1/1001"], 2, /at most 1000/],
  [["gate", "--shard", "a/b"], 2, /a part of a whole, such as 2\/5/],
  [["gate", "--shard", "2"], 2, /a part of a whole, such as 2\/5/],
  [["gate", "--shard=-1/5"], 2, /a part of a whole, such as 2\/5/],
  [["gate", "--durations", "x.json"], 2, /Cannot use --durations without --shard/],
  [["gate", "--may-be-empty"], 2, /Cannot use --may-be-empty without --shard/],
  [["gate", "--shard", "1/2", "--durations", "/nosuch"], 2, /Cannot cut the plan by \/nosuch/],
  [["gate", "--shard", "1/2", "--durations", "deno.json"], 2, /it is no record: it has no format/],
  [["gate", "--record", "/nosuch/r.json"], 2, /Cannot write record .*Name a file in a folder/],
  [
    ["gate", "--shard", "5/5", "--kernel", "Q1_MM", "*/trap:rows=8,*"],
    5,
    /shard 5\/5 is empty, and the plan has 1 check to share out.*--may-be-empty/,
  ],
  [["merge"], 2, /missing required argument 'folder'/],
  [["merge", "/nosuch"], 2, /Cannot read \/nosuch.*Name the folder/],
  [["merge", "kernels", "--expect", ""], 2, /--expect is empty/],
  [["merge", ".ci"], 5, /Nothing to merge: \.ci holds no record.*gate --record FILE/],
  [["merge", "golden/durations.json"], 2, /Cannot read golden\/durations\.json/],
];

for (const [args, code, says] of MISTAKES) {
  Deno.test(`samebits ${args.join(" ")}: exit ${code}`, async () => {
    const ran = await samebits(args);
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(says) });
    expect(ran.err).not.toMatch(/\n\s+at /);
  });
}

const NOT_BEGUN: readonly [what: string, args: string[], code: number, says: RegExp][] = [
  ["no adapter", ["--adapter", "nosuch"], 3, /Cannot find adapter "nosuch"/],
  ["no goldens", ["--golden", "/nosuch"], 4, /Nothing was run: 12 goldens cannot be used/],
  ["an empty shard", ["--shard", "99/99"], 5, /shard 99\/99 is empty/],
  ["a text that is not there", ["--text", "Q1_MM=/nosuch"], 2, /Cannot read --text/],
];

for (const [what, args, code, says] of NOT_BEGUN) {
  Deno.test(`a run that cannot begin leaves a record that says why: ${what}`, async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "r.json");
      const ran = await samebits(["gate", ...ENGINE_ONLY, "--record", path, ...args, CASES]);
      expect(ran.code).toBe(code);
      const record = await readRecord(path) as UnstartedRecord;
      expect(record).toMatchObject({
        kind: "unstarted",
        exitCode: code,
        reason: expect.stringMatching(says),
      });
      const merged = await samebits(["merge", folder]);
      expect(merged.code).toBe(1);
      expect(merged.out).toMatch(says);
      expect(merged.out).toMatch(/^PROBLEM {2}r\.json: no check ran/m);
    });
  });
}

const FAILURES: readonly [fault: Fault, finds: RegExp, args?: string[]][] = [
  [FAULTS.find(({ name }) => name === "lanes summed in another order")!, /"largestUlp":/],
  [UNWRITTEN, /"unwritten":1,/],
  [OVERRUN, /"overrun":1,/],
  [MOVING, /"moving":\{/, ["--repeat", "4"]],
  [SYNTAX_ERROR, /"place":\{/],
];

for (const [fault, finds, args = []] of FAILURES) {
  Deno.test(`the record of a failing run is valid: ${fault.name}`, async () => {
    await inFolder(async (folder) => {
      const [path, text] = [join(folder, "r.json"), join(folder, "mine.wgsl")];
      Deno.writeTextFileSync(text, plant(fault).text);
      const named = ["--kernel", fault.kernel, "--text", `${fault.kernel}=${text}`];
      const ran = await samebits(["gate", "--record", path, ...named, ...args, "*/random:*"]);
      expect(ran.code).toBe(1);
      expect(await readRecord(path)).toMatchObject({ kind: "run", complete: true, exitCode: 1 });
      expect(Deno.readTextFileSync(path)).toMatch(finds);
    });
  });
}

/** Waits until a record is as it must be. */
async function recordWhere<One extends SavedRecord>(
  path: string,
  isIt: (record: SavedRecord) => record is One,
): Promise<One> {
  for (let i = 0; i < 1000; i++) {
    try {
      const record = await readRecord(path);
      if (isIt(record)) return record;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${path} never became what was waited for`);
}

Deno.test("a run that is killed leaves a record that is whole, and says that it is not complete", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "r.json");
    // SwiftShader takes long enough to be met in the middle.
    const child = startSamebits([
      "gate",
      ...ENGINE_ONLY,
      "--adapter",
      "embedded",
      "--record",
      path,
    ]);
    const before = await recordWhere(
      path,
      (one): one is UnstartedRecord => one.kind === "unstarted",
    );
    expect(before.reason).toMatch(/killed before its first check/);
    expect(before.exitCode).toBeUndefined();
    const isUnderWay = (one: SavedRecord): one is RunRecord =>
      one.kind === "run" && one.results.length > 0;
    await recordWhere(path, isUnderWay);
    child.kill("SIGKILL");
    await child.status;
    const record = await readRecord(path) as RunRecord;
    expect(record).toMatchObject({ kind: "run", complete: false, exitCode: 1 });
    expect(record.results.length).toBeLessThan(record.planned);
    const whole = join(folder, "merged.json");
    const merged = await samebits(["merge", folder, "--record", whole]);
    expect(await readRecord(whole)).toMatchObject({ kind: "merged", exitCode: 1, runs: [record] });
    expect(merged.code).toBe(1);
    expect(merged.out).toMatch(
      /r\.json \(SwiftShader .*\): the run did not come to its end, \d+ of [\d,]+ checks/,
    );
    expect(merged.out).toMatch(/SwiftShader .* incomplete /);
  });
});

Deno.test("shards are merged into one record; damage to one of them is found", async () => {
  await inFolder(async (folder) => {
    const records = join(folder, "records");
    Deno.mkdirSync(records);
    const [merged, junit] = [join(folder, "merged.json"), join(folder, "gate.xml")];
    const gate = (part: string, ...args: string[]) => {
      const name = `${part.replace("/", "-")}.json`;
      const wanted = ["--shard", part, "--record", join(records, name), ...args, CASES];
      return samebits(["gate", ...ENGINE_ONLY, ...wanted]);
    };
    const merge = (...args: string[]) => samebits(["merge", records, ...args]);

    for (const part of ["1/2", "2/2"]) {
      const { code, out } = await gate(part);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^part {5}${part[0]} of 2: \\d+ checks, [45]\\d % of`, "m"));
    }
    const green = await merge("--record", merged, "--junit", junit);
    expect(green.out).toMatch(
      new RegExp(`^2 runs on 1 adapter, ${CHECKS} checks: ${CHECKS} passed$`, "m"),
    );
    expect(green.code).toBe(0);
    const record = await readRecord(merged);
    expect(record).toMatchObject({ kind: "merged", problems: [], exitCode: 0 });
    const keys = (record.kind === "merged" ? record.runs : [])
      .flatMap(({ results }) => results.map(({ check }) => JSON.stringify(check)));
    expect(new Set(keys).size).toBe(CHECKS);
    expect(Deno.readTextFileSync(junit).match(/<testcase /g)?.length).toBe(CHECKS);

    // A golden that was changed in between: another set, whole in itself.
    const goldens = join(folder, "golden");
    await otherGoldens(goldens);
    expect((await gate("2/2", "--golden", goldens)).code).toBe(0);
    expect(await merge()).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^PROBLEM {2}The runs are not of one set of goldens: .*1-2\.json/m,
      ),
    });

    // A text of one's own on one of them.
    const text = join(folder, "mine.wgsl");
    Deno.writeTextFileSync(
      text,
      plant(OWN_FMA).text.replace(
        "lanes[local] + lanes[local + 4u]",
        "lanes[local] + lanes[local + 2u]",
      ),
    );
    expect((await gate("2/2", "--text", `Q1_MM=${text}`)).code).toBe(1);
    const red = await merge("--record", merged);
    expect(red.code).toBe(1);
    expect(await readRecord(merged)).toMatchObject({ exitCode: 1, problems: [expect.any(String)] });
    expect(red.out).toMatch(/^on .*:\n\nDIFFER {2}Q1_MM, workgroup \d+: /m);
    expect(red.out).toMatch(/^Q1_MM .* \d+ differ /m);
    // The line is of the shard that failed, not of its sister.
    expect(red.out).toMatch(/^ {2}again: .*--text Q1_MM=\S*mine\.wgsl /m);
    expect(red.out).toMatch(/^PROBLEM {2}The runs are not of one text of Q1_MM: /m);

    Deno.removeSync(join(records, "2-2.json"));
    expect(await merge("--expect", "Voodoo")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/shard 2\/2 is missing[^]*No adapter that answers to "Voodoo"/),
    });
  });
});

/** A copy of the goldens whose manifest gives another reason for one of them. */
async function otherGoldens(folder: string): Promise<void> {
  const copy = new Deno.Command("cp", { args: ["-r", fromFileUrl("../../golden"), folder] });
  expect((await copy.output()).success).toBe(true);
  const manifest = join(folder, "q1_0_matmul", "manifest.json");
  const text = Deno.readTextFileSync(manifest);
  Deno.writeTextFileSync(manifest, text.replace('"reason":"', '"reason":"Another one. '));
}

Deno.test("an empty shard that may be is a part of the proof", async () => {
  await inFolder(async (folder) => {
    for (const index of [1, 2]) {
      const ran = await samebits([
        "gate",
        ...["--shard", `${index}/2`, "--may-be-empty", "--kernel", "Q1_MM"],
        ...["--record", join(folder, `${index}.json`), "*/trap:rows=8,*"],
      ]);
      expect(ran.code).toBe(0);
    }
    const { code, out } = await samebits(["merge", folder]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^2 runs .* 1 passed$/m) });
  });
});

Deno.test("in GitHub Actions a shard leaves annotations and summary to the merge", async () => {
  await inFolder(async (folder) => {
    const summary = join(folder, "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const text = join(folder, "broken.wgsl");
    Deno.writeTextFileSync(text, "this is no shader\n");
    const args = ["--shard", "1/1", "--record", join(folder, "1.json"), CASES];
    const ran = await samebits(["gate", "--text", `Q1_MM=${text}`, ...args], env);
    expect(ran.code).toBe(1);
    expect(ran.out).not.toContain("::error");
    const merged = await samebits(["merge", folder, "--expect", "Voodoo"], env);
    expect(merged.code).toBe(1);
    const annotations = merged.out.match(/^::error .*$/gm)!;
    expect(annotations).toEqual([
      expect.stringMatching(/^::error title=samebits merge::No adapter that answers to "Voodoo"/),
      expect.stringMatching(/^::error file=.*broken\.wgsl,line=1,col=\d+,title=Q1_MM%3A error on /),
    ]);
    expect(annotations[1]).toContain("the same for 11 other checks");
    expect(Deno.readTextFileSync(summary)).toMatch(/^\| Q1_MM \| \*\*12 errors\*\*<br>12 checks/m);
  });
});

Deno.test("durations are kept from whole runs that passed, on a desk alone", async () => {
  await inFolder(async (folder) => {
    const refused = await samebits(["merge", folder, "--accept-durations"], { CI: "true" });
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Cannot store durations in CI/),
    });
    const args = ["--shard", "1/2", "--record", join(folder, "1.json"), CASES];
    expect((await samebits(["gate", ...args])).code).toBe(0);
    const before = Deno.readTextFileSync(fromFileUrl("../../golden/durations.json"));
    const partial = await samebits(["merge", folder, "--accept-durations"]);
    expect(partial).toMatchObject({ code: 1, err: expect.stringMatching(/Kept no durations/) });
    expect(Deno.readTextFileSync(fromFileUrl("../../golden/durations.json"))).toBe(before);
  });
});
