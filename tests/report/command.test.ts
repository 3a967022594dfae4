/** `samebits report` and `gate --report`, as a user runs them. */
import { expect } from "expect";
import { join } from "node:path";
import { recordText } from "../../tools/report/record_text.ts";
import { samebits } from "../support/machine.ts";
import { OWN_FMA, plant } from "../support/faults.ts";
import { RECORD } from "./record.ts";

const TRAP = "q1_0_matmul/trap:rows=33,n=256,cols=8,seed=4002";
const SMALL = "q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=1,*";

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await test(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("gate --report leaves the page of a run, its record the same one", async () => {
  await inFolder(async (folder) => {
    const [text, record, page] = ["mine.wgsl", "run.json.gz", "page"].map((one) =>
      join(folder, one)
    ) as [string, string, string];
    // Rounding twice is wrong on every software adapter; where fma is right, so is the run.
    Deno.writeTextFileSync(text, plant(OWN_FMA).text);
    const args = ["--text", `Q1_MM=${text}`, "--evidence", folder, TRAP];
    const ran = await samebits(["gate", "--report", page, "--record", record, ...args]);
    expect(ran.err).toBe("");
    const file = join(page, "index.html");
    expect(ran.out).toContain(`report   ${file}`);
    const first = Deno.readTextFileSync(file);
    expect(first).toContain(TRAP);
    if (ran.code === 1) expect(first).toMatch(/Blame (kernel|adapter)/);

    const out = join(folder, "again");
    const again = await samebits(["report", record, "--out", out]);
    expect(again).toEqual({ code: 0, out: `Wrote ${join(out, "index.html")}\n`, err: "" });
    expect(Deno.readTextFileSync(join(out, "index.html"))).toBe(first);
  });
});

Deno.test("report tells benches, rooflines, evidence and records of a folder apart", async () => {
  await inFolder(async (folder) => {
    const file = (name: string) => join(folder, name);
    const baselines = ["--baselines", file("baselines")];
    const runs = [
      ["bench", "--kernel", "Q1_DOT", "--smoke", "--record", file("bench.json"), SMALL],
      ["roofline", "--kernel", "Q1_DOT", "--smoke", "--record", file("roofline.json")],
      ["gate", "--kernel", "Q1_DOT", "--record", file("run.json"), TRAP],
    ];
    for (const args of runs) expect((await samebits(args)).code).toBe(0);
    const ran = await samebits(["report", folder, "--out", file("page"), ...baselines]);
    expect(ran.code).toBe(0);
    const page = Deno.readTextFileSync(join(file("page"), "index.html"));
    expect(page).toMatch(/<svg aria-label="Roofline of /);
    expect(page).toContain("No times were given"); // a smoke run's mean nothing
  });
});

const MISTAKES: readonly [content: string | undefined, code: number, says: RegExp][] = [
  [undefined, 2, /Cannot report .*: .*No such file/],
  ["", 2, /Cannot report .*: it is empty/],
  ["{", 2, /Cannot report .*: it is not JSON/],
  ['{"a":1}', 2, /it is no record: it has no format.*Give it what gate --record/],
  ['{"format":1,"samebits":"0.0.9"}', 2, /its format is 1, written by samebits 0\.0\.9/],
  [recordText(RECORD).replace('"seconds":1.5', '"seconds":-1'), 2, /it is damaged: \/seconds/],
  ['{"format":1,"diagnosis":{}}', 2, /Cannot read .* as evidence/],
];

for (const [content, code, says] of MISTAKES) {
  Deno.test(`report of ${content?.slice(0, 40) ?? "nothing"}: exit ${code}`, async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "record.json");
      if (content !== undefined) Deno.writeTextFileSync(file, content);
      const ran = await samebits(["report", file, "--out", join(folder, "page")]);
      expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(says) });
      expect(ran.err).not.toMatch(/\n\s+at /);
    });
  });
}

Deno.test("report of a folder without a record: exit 5; of a page that cannot be written: 2", async () => {
  await inFolder(async (folder) => {
    const empty = await samebits(["report", folder]);
    expect({ code: empty.code, err: empty.err }).toEqual({
      code: 5,
      err: expect.stringMatching(/Nothing to report.*deno task gate --record FILE/),
    });
    const file = join(folder, "record.json");
    Deno.writeTextFileSync(file, recordText(RECORD));
    const ran = await samebits(["report", file, "--out", "/dev/null/page"]);
    expect({ code: ran.code, err: ran.err }).toEqual({
      code: 2,
      err: expect.stringMatching(/Cannot write report \/dev\/null\/page/),
    });
  });
});
