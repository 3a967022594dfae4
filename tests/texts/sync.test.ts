import { expect } from "expect";
import { EXIT } from "../../tools/exit_codes.ts";
import { digest } from "../../tools/texts/own.ts";
import { SHADER } from "./memory_engine.ts";
import { js, OTHER, rust, test, type Workplace } from "./workplace.ts";

test("--sync copies, records, and says what is to be run again", async (place) => {
  place.writeEngine("gpu/wgsl.rs", rust(OTHER));
  place.writeEngine("page.js", js(OTHER));
  const commit = place.commit(place.engine);
  const { exitCode, output } = await place.run("--sync", "--engine", place.engine);
  expect(output).toBe(`copied     DOUBLE   to kernels/double.wgsl
Recorded the engine's commit ${commit.slice(0, 12)} in kernels/twins.json.

What was proved of the old texts is to be run again, on every adapter:
  goldens    of double, with DOUBLE: deno task gate
  baselines  of DOUBLE: their times were the old texts'`);
  expect(exitCode).toBe(EXIT.passed);
  expect(place.own("kernels/double.wgsl")).toBe(OTHER);
  expect(place.twins().kernels.DOUBLE.agreement).toEqual({ commit, sha256: digest(OTHER) });
  expect(place.compiled).toEqual([OTHER]);

  expect((await place.run("--engine", place.engine)).exitCode).toBe(EXIT.passed);
  expect((await place.run()).output).toContain(`agreed with engine commit ${commit.slice(0, 12)}`);
  expect((await place.run("--sync", "--engine", place.engine)).output)
    .toMatch(/^Every text was the engine's already\.\nRecorded/);
});

test("--sync takes BANKML_DIR, and reports the shaders that it leaves", async (place) => {
  place.writeEngine("new.js", js(OTHER, "NEW"));
  place.commit(place.engine);
  Deno.env.set("BANKML_DIR", place.engine);
  const { exitCode, output } = await place.run("--sync");
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toMatch(
    /Recorded the engine's commit .*\n\nThis is left:\nunclaimed +new\.js:1 NEW/,
  );
});

const REFUSALS: [what: string, plant: (place: Workplace) => void, message: RegExp][] = [
  [
    "a changed file",
    (place) => place.writeEngine("page.js", `${js(SHADER)}\n`),
    /changes that are in no commit:\n +M page\.js\n.*--allow-dirty/,
  ],
  [
    "a new file",
    (place) => place.writeEngine("new.txt", ""),
    /changes that are in no commit:\n {2}\?\? new\.txt/,
  ],
  [
    "two twins that disagree",
    (place) => {
      place.writeEngine("page.js", js(OTHER));
      place.commit(place.engine);
    },
    /twins of DOUBLE disagree:\n {2}--- gpu\/wgsl\.rs:1 D\n {2}\+\+\+ page\.js:1 D_WGSL[^]*\* 3\.0/,
  ],
  [
    "a text that does not compile",
    (place) => {
      place.writeEngine("gpu/wgsl.rs", rust(OTHER));
      place.writeEngine("page.js", js(OTHER));
      place.commit(place.engine);
      place.compile = () => Promise.resolve(["line 1:2: expected a fault"]);
    },
    /text of DOUBLE does not compile:\n {2}line 1:2: expected a fault\nMend it there first/,
  ],
  [
    "a twin that is gone",
    (place) => {
      place.writeEngine("page.js", "export {};");
      place.commit(place.engine);
    },
    /first this must be settled:\ngone +DOUBLE +page\.js D_WGSL/,
  ],
  [
    "a twin that cannot be compared",
    (place) => {
      place.writeEngine("page.js", "export const D_WGSL = `${a}`;");
      place.commit(place.engine);
    },
    /settled:\nunknown +DOUBLE +page\.js:1 D_WGSL cannot be compared/,
  ],
  [
    "a text that is no shader",
    (place) => {
      place.writeEngine("gpu/wgsl.rs", rust(""));
      place.writeEngine("page.js", js(""));
      place.commit(place.engine);
    },
    /twin of DOUBLE has no @compute entry point/,
  ],
];

for (const [what, plant, message] of REFUSALS) {
  test(`--sync refuses ${what}, and writes nothing`, async (place) => {
    plant(place);
    const { exitCode, output } = await place.run("--sync", "--engine", place.engine);
    expect(output).toMatch(message);
    expect(output).toMatch(/Nothing was written\.$/);
    expect(exitCode).toBe(EXIT.differs);
    expect(place.git(place.root, "status", "--porcelain")).toBe("");
  });
}

test("--sync refuses to overwrite an edit here that is in no commit", async (place) => {
  place.writeOwn("kernels/double.wgsl", OTHER);
  const { exitCode, output } = await place.run("--sync", "--engine", place.engine);
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toMatch(/would be lost:\n {3}M kernels\/double\.wgsl\nCommit them, or take/);
  expect(place.own("kernels/double.wgsl")).toBe(OTHER);
  place.commit(place.root);
  expect((await place.run("--sync", "--engine", place.engine)).exitCode).toBe(EXIT.passed);
  expect(place.own("kernels/double.wgsl")).toBe(SHADER);
});

test("--sync --allow-dirty records that the commit is not quite it", async (place) => {
  const commit = place.git(place.engine, "rev-parse", "HEAD");
  place.writeEngine("gpu/wgsl.rs", rust(OTHER));
  place.writeEngine("page.js", js(OTHER));
  const { exitCode } = await place.run("--sync", "--allow-dirty", "--engine", place.engine);
  expect(exitCode).toBe(EXIT.passed);
  expect(place.twins().kernels.DOUBLE.agreement.commit).toBe(`${commit}-dirty`);
  expect((await place.run()).output).toContain(`commit ${commit.slice(0, 12)}-dirty`);
});
