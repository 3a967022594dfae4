/** The command line, as a user and as CI meet it: exit codes, messages, files. */
import { expect } from "expect";
import { join } from "node:path";
import { ENGINE_ONLY } from "../support/engine_kernels.ts";
import { ENDLESS, OWN_FMA, plant, SYNTAX_ERROR } from "../support/faults.ts";
import { inFolder } from "../support/folder.ts";
import { fromFileUrl } from "../support/paths.ts";
import { samebits } from "../support/machine.ts";

const ONE = "q1_0_matmul/trap:rows=8,n=256,cols=8,seed=4001";

/** A folder of goldens of one's own. */
async function withGoldens(test: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const copy = await new Deno.Command("cp", {
      args: ["-r", fromFileUrl("../../golden/q1_0_matmul"), folder],
    }).output();
    expect(copy.success).toBe(true);
    await test(folder);
  });
}

Deno.test("a gate that passes says where it ran, and how many checks of how many", async () => {
  const { code, out, err } = await samebits(["gate", ...ENGINE_ONLY, "q1_0_matmul/trap:*"]);
  expect(code).toBe(0);
  expect(err).toBe("");
  expect(out).toMatch(/^samebits \d+\.\d+\.\d+, Deno /);
  expect(out).toMatch(/^adapter {2}.+ \((software, on the CPU|hardware)\)$/m);
  expect(out).toMatch(/^ +backend \w+, vendor /m);
  expect(out).toMatch(/^36 of 36 planned checks ran in [\d.]+ s: 36 passed$/m);
});

const MISTAKES: readonly [args: string[], code: number, says: RegExp][] = [
  [["gate", "nosuch*"], 5, /no case matches "nosuch\*".*deno task list cases/],
  [["gate", "--kernel", "Q9"], 5, /no kernel matches "Q9".*Q1_DOT, Q1_MM, Q1_MM4/],
  [["gate", "q1_0_matmul/full:model=1.7B,matrix=attn_?,*"], 5, /all of them large\. Add --full/],
  [["gate", "--nosuch"], 2, /unknown option '--nosuch'/],
  [["nosuch"], 2, /unknown command 'nosuch'/],
  [["gate", "--repeat", "0"], 2, /whole number of at least 1/],
  [["gate", "--workgroup", "32,x"], 2, /whole number of at least 1/],
  [["gate", "--backend", "cuda"], 2, /backend "cuda".*none of that name.*vulkan, metal/],
  [["gate", "--adapter", "nosuch"], 3, /Cannot find adapter "nosuch".*embedded/],
  [["gate", "--require", ""], 2, /--require is empty/],
  [["gate", "--adapter", "embedded", "--backend", "gl"], 2, /it is a Vulkan driver/],
  [["gate", "--limit", "3000000"], 2, /at most 2000000/],
  [["gate", "--text", "Q1_MM=deno.json", "--text", "Q1_MM=README.md"], 2, /names it twice/],
  [["gate", "--require", "Voodoo"], 3, /the adapter is ".+".*--require Voodoo asks for another/],
  [["gate", "--text", "Q1_MM"], 2, /a kernel's name and a file/],
  [["gate", "--text", "Q1_MM=/nosuch.wgsl"], 2, /Cannot read --text.*nosuch\.wgsl/],
  [
    ["gate", "--golden", "/nosuch", ONE],
    4,
    /Cannot read golden.*there is none.*deno task golden --accept/,
  ],
  [["gate", "--junit", "/nosuch/file.xml", ONE], 2, /Cannot write report/],
];

for (const [args, code, says] of MISTAKES) {
  Deno.test(`samebits ${args.join(" ")}: exit ${code}`, async () => {
    const ran = await samebits(args);
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(says) });
    expect(ran.err).not.toMatch(/\n\s+at /); // no stack: it is not our defect
  });
}

Deno.test("no adapter is exit 3, and nothing is green", async () => {
  const ran = await samebits(["gate", "--adapter", "default", ONE], {
    VK_DRIVER_FILES: "/nosuch.json",
    DENO_WEBGPU_BACKEND: "vulkan",
    SAMEBITS_ADAPTER: "",
  });
  expect(ran.code).toBe(3);
  expect(ran.err).toMatch(/finds no adapter.*--adapter embedded/);
});

Deno.test("a backend of the environment that does not exist is named", async () => {
  const ran = await samebits(["gate", ONE], { DENO_WEBGPU_BACKEND: "cuda" });
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/backend "cuda" \(from DENO_WEBGPU_BACKEND\)/);
});

Deno.test("a machine without an adapter runs on the embedded one, and says so", async () => {
  const ran = await samebits(["gate", ...ENGINE_ONLY, ONE], {
    VK_DRIVER_FILES: "/nosuch.json",
    SAMEBITS_ADAPTER: "",
  });
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(/no adapter: running on the embedded one, SwiftShader/);
  expect(ran.out).toMatch(/SwiftShader Device[^]*3 checks/);
});

Deno.test("nothing but unsupported checks is exit 5", async () => {
  const ran = await samebits(["gate", "--kernel", "Q1_MM", "--workgroup", "12", ONE]);
  expect(ran.code).toBe(5);
  expect(ran.out).toMatch(/multiple of 8, not 12/);
  expect(ran.out).toMatch(/^0 of 1 planned check ran .*\nNothing ran, so nothing is proved/m);
});

Deno.test("a differing kernel is exit 1, and its line runs the same check again", async () => {
  await inFolder(async (folder) => {
    const text = join(folder, "mine.wgsl");
    // Wrong on every adapter: the order of the last additions.
    const wrong = plant(OWN_FMA).text.replace(
      "(lanes[local] + lanes[local + 4u])",
      "(lanes[local] + lanes[local + 2u])",
    );
    Deno.writeTextFileSync(text, wrong);
    const args = ["gate", "--kernel", "Q1_MM", "--text", `Q1_MM=${text}`];
    const ran = await samebits([...args, "*/random:*"]);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^DIFFER {2}Q1_MM, workgroup \d+: q1_0_matmul\/random:/m);
    const again = /again: deno task (.*)/.exec(ran.out)![1]!.split(" ")
      .map((word) => word.replaceAll("'", ""));
    expect((await samebits(again)).out).toMatch(
      /^1 of 1 planned check ran .*: 0 passed, 1 differ$/m,
    );

    const fast = await samebits([...args, "--fail-fast", "*/random:*"]);
    expect(fast.code).toBe(1);
    expect(fast.out).toMatch(/^[1-9] of 10 planned checks ran .*1 differ$/m);
  });
});

Deno.test("reports are written: the record, JUnit, annotations, step summary", async () => {
  await inFolder(async (folder) => {
    const text = join(folder, "broken.wgsl");
    Deno.writeTextFileSync(text, plant(SYNTAX_ERROR).text);
    const [json, junit, summary] = ["r.json", "r.xml", "s.md"].map((name) => join(folder, name));
    const args = ["gate", ...ENGINE_ONLY, "--text", `Q1_MM=${text}`];
    const ran = await samebits(
      [...args, "--record", json!, "--junit", junit!, ONE],
      { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary! },
    );
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(
      /^::error file=.*broken\.wgsl,line=\d+,col=13,title=Q1_MM%3A error on [^:]+::/m,
    );
    const record = JSON.parse(Deno.readTextFileSync(json!));
    expect(record).toMatchObject({ planned: 3, exitCode: 1, backend: expect.any(String) });
    expect(record.results.length).toBe(3);
    expect(Deno.readTextFileSync(junit!)).toMatch(
      /<testsuite [^>]*name="Q1_MM" [^>]*tests="1" failures="0" errors="1"/,
    );
    expect(Deno.readTextFileSync(summary!)).toMatch(/\| Q1_MM \| 0 \| 0 \| 1 \| 0 \|/);
  });
});

Deno.test("a kernel that never ends loses its own verdicts alone", async () => {
  await inFolder(async (folder) => {
    const text = join(folder, "endless.wgsl");
    Deno.writeTextFileSync(text, plant(ENDLESS).text);
    // Mesa 22.3.6 would end the loop; SwiftShader does not.
    const args = ["gate", "--adapter", "embedded", "--limit", "2", "--text", `Q1_MM=${text}`];
    const ran = await samebits([...args, ...ENGINE_ONLY, "q1_0_matmul/trap:rows=?,*"]);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/No end within 2 s: it hangs/);
    expect(ran.out).toMatch(/Not run: Q1_MM at workgroup size 64 had already broken 2 runs/);
    expect(ran.out).toMatch(/^Q1_DOT, workgroup 64 +5 +0 +0 +0$/m);
    expect(ran.out).toMatch(/^Q1_MM4, workgroup 64 +5 +0 +0 +0$/m);
    expect(ran.out).toMatch(/^12 of 15 planned checks ran .*: 10 passed, 5 errors$/m);
  });
});

/** Each damages the goldens in the folder; the gate must refuse them all with exit 4. */
const DAMAGES: readonly [name: string, damage: (file: string) => void, says: RegExp][] = [
  ["one bit flipped", (file) => {
    const bytes = Deno.readFileSync(file);
    bytes[100]! ^= 1;
    Deno.writeFileSync(file, bytes);
  }, /bit/],
  ["truncated", (file) => Deno.truncateSync(file, 40), /40 bytes, manifest says 256/],
  ["a Git LFS pointer", (file) => {
    Deno.writeTextFileSync(
      file,
      "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 256\n",
    );
  }, /Git LFS pointer.*git lfs pull/],
  ["missing", (file) => Deno.removeSync(file), /its file is not there/],
  ["a folder", (file) => {
    Deno.removeSync(file);
    Deno.mkdirSync(file);
  }, /Is a directory.*Move what is there away/],
  ["orphaned", (file) => {
    Deno.copyFileSync(file, file.replace("seed=4001", "seed=9"));
  }, /seed=9" belongs to no case/],
];

for (const [name, damage, says] of DAMAGES) {
  Deno.test(`a golden ${name} is exit 4, and nothing runs`, async () => {
    await withGoldens(async (folder) => {
      damage(join(folder, "q1_0_matmul/trap/rows=8,n=256,cols=8,seed=4001.bits"));
      const { code, out, err } = await samebits(["gate", "--golden", folder, ONE]);
      expect({ code, out }).toEqual({ code: 4, out: "" });
      expect(err).toMatch(says);
      expect(err).toMatch(/Nothing was run: 1 golden cannot be used/);
    });
  });
}

Deno.test("a report that cannot be written does not hide what was found", async () => {
  const ran = await samebits(["gate", ...ENGINE_ONLY, "--junit", "/nosuch/file.xml", ONE]);
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/3 planned checks ran .*3 passed/);
  expect(ran.err).toMatch(/Cannot write report/);
});

Deno.test("large cases that are left out are counted", async () => {
  const { out } = await samebits(["gate", "--kernel", "Q1_DOT", "*/layer:model=4B,matrix=*ut,*"]);
  expect(out).toMatch(/1 case; 1 large case left out, --full runs them/);
});

Deno.test("an adapter whose process crashes is not taken for no adapter", async () => {
  const { ChildExecutor } = await import("../../tools/isolation/child_executor.ts");
  const work = { goldenFolder: "file:///", repeats: 1, texts: [] };
  // A folder without a driver in it: loading it throws, and the process ends.
  const executor = new ChildExecutor({
    assignment: { ...work, embedded: "/nosuch" },
    env: {},
    limit: 30,
  });
  await expect(executor.adapter()).rejects.toThrow(/Cannot open the adapter: The process .*ended/);
});

Deno.test("list shows kernels, families, cases and adapters", async () => {
  expect((await samebits(["list", "kernels"])).out).toMatch(
    /^Q1_MM4 +q1_0_matmul +kernels\/q1_mm4/m,
  );
  expect((await samebits(["list", "families"])).out).toMatch(/^q1_0_matmul +exact +\d{3} cases$/m);
  expect((await samebits(["list", "cases", "*/trap:rows=8*"])).out).toBe(`${ONE}\n`);
  expect((await samebits(["list", "adapters"])).out).toMatch(/--adapter embedded\n.*SwiftShader/);
});
