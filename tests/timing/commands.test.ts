/** The commands that time, as a user runs them: smoke runs, and the mistakes there are. */
import { expect } from "expect";
import { join } from "node:path";
import { samebits } from "../support/machine.ts";
import { fromFileUrl } from "../support/paths.ts";

const SMALL = "q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=1,*";
const OWN = fromFileUrl("../../kernels/q1_mm.wgsl");

function folder(): string {
  return Deno.makeTempDirSync();
}

/** A text of Q1_MM with something changed. */
function textFile(from: string, to: string): string {
  const text = Deno.readTextFileSync(OWN);
  if (text.split(from).length !== 2) throw new Error(`"${from}" does not stand once in Q1_MM`);
  const file = join(folder(), "q1_mm.wgsl");
  Deno.writeTextFileSync(file, text.replace(from, to));
  return file;
}

Deno.test("bench: a smoke run times every kernel, and says that it means nothing", async () => {
  const json = join(folder(), "bench.json");
  const { code, out } = await samebits([
    "bench",
    "--smoke",
    "--kernel",
    "Q1_MM*",
    "--record",
    json,
    SMALL,
  ]);
  expect(out).toMatch(/Q1_MM4 .*of the read/);
  expect(out).toContain("2 kernels and shapes timed");
  expect(out).toContain("A smoke run");
  expect(code).toBe(0);
  const { results, environment } = JSON.parse(Deno.readTextFileSync(json));
  expect(results.length).toBe(2);
  expect(environment.key).toContain(`.${environment.profile}.deno_`);
  for (const { sittings, comparison } of results) {
    expect(sittings[0].ns.length).toBe(1);
    expect(comparison).toBeUndefined();
  }
});

Deno.test("bench: accepted, compared, and by another toolchain not comparable", async () => {
  const baselines = folder();
  const run = (...more: string[]) =>
    samebits(["bench", "--kernel", "Q1_DOT", "--budget", "0.3", "--baselines", baselines, ...more]);
  const none = await run("--gate", SMALL);
  expect(none.err).toContain("No verdicts: there is no baseline for this adapter");
  expect(none.err).toContain('deno task bench --accept --reason "…"');
  expect(none.code).toBe(4);

  const accepted = await run("--accept", "--reason", "first", SMALL);
  expect(accepted.out).toContain("Stored 1 baseline in");
  const [{ name }] = [...Deno.readDirSync(baselines)] as [Deno.DirEntry];
  const path = join(baselines, name);
  const stored = JSON.parse(Deno.readTextFileSync(path));
  const [[id, entry]] = Object.entries(stored.entries) as [[string, Record<string, unknown>]];
  expect(id).toBe("Q1_DOT 64 q1_0_matmul/layer:model=1.7B,matrix=attn_k,cols=1,seed=1");
  expect(entry.history).toMatchObject([{ reason: "first" }]);

  const compared = await run(SMALL);
  expect(compared.out).toMatch(/noise .* (no change|inconclusive|slower|faster)/);
  expect(compared.out).not.toContain("baselines since");
  expect(compared.code).toBe(0);

  await run("--accept", "--reason", "second", SMALL);
  expect((await run(SMALL)).out).toMatch(/baselines since \d{4}-\d\d-\d\d: \S+ .s, \S+ .s\n/);

  // The same file under another key: by another toolchain.
  Deno.renameSync(path, join(baselines, "other.json"));
  const other = await run("--gate", SMALL);
  expect(other.err).toContain("not comparable: other.json");

  Deno.writeTextFileSync(path, Deno.readTextFileSync(join(baselines, "other.json")) + "x");
  const damaged = await run(SMALL);
  expect(damaged.err).toContain("it is not JSON");
  expect(damaged.code).toBe(4);
});

Deno.test("ab: two equal texts, by timestamps and by the slope, with their picture", async () => {
  const svg = join(folder(), "ab.svg");
  for (const clock of ["timestamps", "slope"]) {
    const args = ["ab", OWN, OWN, "--smoke", "--case", SMALL, "--svg", svg, "--clock", clock];
    const { code, out } = await samebits(args);
    expect(out).toContain("A again");
    expect(out).toContain("equal texts, noise");
    expect(code).toBe(0);
    expect(Deno.readTextFileSync(svg)).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  }
});

Deno.test("ab: two kernels of a family, on a case that no list has", async () => {
  const address = "q1_0_matmul/tile:rows=64,n=1024,cols=3,seed=77";
  const { code, out } = await samebits([
    "ab",
    "Q1_MM",
    "Q1_ROWS",
    "--smoke",
    "--case",
    address,
  ]);
  expect(out).toMatch(/^Q1_MM +A kernels\/q1_mm\.wgsl\nQ1_ROWS +B kernels\/q1_rows\.wgsl$/m);
  expect(out).toContain(`  ${address}\n`);
  expect(code).toBe(0);
  const other = await samebits(["ab", "Q1_MM", "ARGMAX"]);
  expect(other).toMatchObject({ code: 2 });
  expect(other.err).toMatch(/one computes q1_0_matmul, the other argmax/);
  const nosuch = await samebits(["bench", "--smoke", "q1_0_matmul/tile:rows=x,n=1,cols=1,seed=1"]);
  expect(nosuch).toMatchObject({ code: 5 });
  expect(nosuch.err).toMatch(/rows=x/);
});

Deno.test("ab: a text with wrong bits is never timed", async () => {
  const wrong = textFile("let negated = (-q << 24u) >> 24u;", "let negated = -q;");
  const { code, out } = await samebits(["ab", wrong, "--case", SMALL, "--budget", "1"]);
  expect(out).toContain(`--text Q1_MM=${wrong}`);
  expect(out).toMatch(
    /Not timed: Q1_MM .*It fails \d+ checks, and a time of wrong bits says nothing/,
  );
  expect(out).not.toContain("A again");
  expect(code).toBe(1);
});

Deno.test("ab: a kernel that hangs is ended", async () => {
  const endless = textFile(
    "  workgroupBarrier();\n",
    "  while (p.zero == 0u) {\n    lanes[local] += 1.0;\n  }\n  workgroupBarrier();\n",
  );
  const { code, err, out } = await samebits([
    "ab",
    endless,
    "--smoke",
    "--limit",
    "3",
    "--case",
    SMALL,
  ]);
  // Mesa 22.3.6 stops loops by itself, and gives wrong bits then.
  expect(err + out).toMatch(/no sign of life within 3 s|Not timed/);
  expect(code).toBe(1);
});

Deno.test("roofline: a smoke run gives bandwidth, kernels, models, and a picture", async () => {
  const svg = join(folder(), "roofline.svg");
  const { code, out } = await samebits(
    ["roofline", "--smoke", "--svg", svg, "--model-gb", "2", "--model-ms", "1e9"],
  );
  expect(out).toMatch(/read +[\d.,]+ GB\/s by GPU timestamps.*naive wall clock says/);
  expect(out).toContain("in one binding");
  expect(out).toMatch(/Q1_DOT .*of the roofline/);
  expect(out).toMatch(/Bonsai 8B Q1_0 .*1.07 GB .*tokens\/s/);
  expect(out).toMatch(/yours +2 GB/);
  expect(out).toContain("1000000000 ms a token is");
  expect(code).toBe(0);
  expect(Deno.readTextFileSync(svg)).toContain("Q1_MM4 1.7B attn_q ×1");
});

const MISTAKES: readonly [args: string[], code: number, message: RegExp][] = [
  [["bench", "nosuch*"], 5, /no case matches "nosuch\*"/],
  [["bench", "--accept"], 2, /without a reason.*--reason/s],
  [["bench", "--reason", "x"], 2, /without --accept/],
  [["bench", "--smoke", "--gate"], 2, /mean nothing/],
  [["bench", "--budget", "0"], 2, /a number above 0/],
  [["bench", "--adapter", "nosuch"], 3, /Cannot find adapter "nosuch"/],
  [["bench", "--clock", "sundial"], 2, /timestamps, slope/],
  [["ab"], 2, /Cannot compare 0 files.*--against HEAD/s],
  [["ab", OWN, "--against", "HEAD"], 2, /Cannot compare 1 files and a revision/],
  [["ab", "nosuch.wgsl"], 2, /Cannot tell which kernel's recipe runs nosuch.wgsl.*--kernel/s],
  [["ab", "nosuch.wgsl", "--kernel", "Q1_MM"], 2, /Cannot read nosuch.wgsl/],
  [["ab", OWN, "--kernel", "*"], 2, /could be Q1_DOT or Q1_MM or Q1_MM4/],
  [["roofline", "--model-ms", "3"], 2, /Add --model-gb/],
];
for (const [args, wanted, message] of MISTAKES) {
  Deno.test(`mistake: ${args.map((one) => one === OWN ? "q1_mm.wgsl" : one).join(" ")}`, async () => {
    const { code, err } = await samebits(args, { CI: "" });
    expect(err).toMatch(message);
    expect(code).toBe(wanted);
  });
}

Deno.test("a baseline is not accepted by a machine", async () => {
  const { code, err } = await samebits(["bench", "--accept", "--reason", "x"], { CI: "true" });
  expect(err).toContain("Cannot store baselines in CI");
  expect(code).toBe(2);
});
