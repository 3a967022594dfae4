import { expect } from "expect";
import { join } from "node:path";
import { EXIT } from "../../tools/exit_codes.ts";
import { digest } from "../../tools/texts/own.ts";
import { SHADER } from "./memory_engine.ts";
import { js, OTHER, test } from "./workplace.ts";

test("without an engine, the recorded hashes are held", async (place) => {
  expect(await place.run()).toMatchObject({
    exitCode: EXIT.passed,
    output: expect.stringMatching(/^1 shader texts.*no engine commit has been agreed with yet/),
  });
  place.writeOwn("kernels/double.wgsl", OTHER);
  const { exitCode, output } = await place.run();
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toMatch(/^edited +DOUBLE +kernels\/double\.wgsl is /);
  expect(output).toContain("changed in the engine first, then copied here: deno task texts --sync");
  expect(output).toContain("deno task texts --record --reason");
});

test("with --engine or BANKML_DIR, the twins are held", async (place) => {
  const { exitCode, output } = await place.run("--engine", place.engine);
  expect(exitCode).toBe(EXIT.passed);
  expect(output).toContain("same       DOUBLE   page.js:1 D_WGSL\n\n2 same");
  Deno.env.set("BANKML_DIR", place.engine);
  expect((await place.run()).output).toBe(output);
  place.writeEngine("page.js", js(OTHER));
  const differs = await place.run();
  expect(differs.exitCode).toBe(EXIT.differs);
  expect(differs.output).toMatch(/1 same, 1 differs\nA text is changed in the engine first/);
});

test("a CR LF checkout of Rust and JavaScript is the same text, and is named", async (place) => {
  place.writeEngine("page.js", js(SHADER).replaceAll("\n", "\r\n"));
  const { exitCode, output } = await place.run("--engine", place.engine);
  expect(exitCode).toBe(EXIT.passed);
  expect(output).toContain("note       page.js has CR LF: compilers read its literals without");
});

test("what git ignores in the engine is not read, what is new is", async (place) => {
  place.writeEngine(".gitignore", "target/\n");
  place.writeEngine("target/copy.js", js(SHADER, "COPY"));
  expect((await place.run("--engine", place.engine)).exitCode).toBe(EXIT.passed);
  place.writeEngine("new.js", js(SHADER, "COPY"));
  expect((await place.run("--engine", place.engine)).output).toMatch(/unclaimed +new\.js:1 COPY/);
});

test("an engine without git is compared, and what is built is not read", async (place) => {
  Deno.removeSync(join(place.engine, ".git"), { recursive: true });
  place.writeEngine("target/debug/copy.js", js(SHADER, "COPY"));
  const { exitCode, output } = await place.run("--engine", place.engine);
  expect(exitCode).toBe(EXIT.passed);
  expect(output).toContain("(not a git checkout), 2 sources.");
  const sync = await place.run("--sync", "--engine", place.engine);
  expect(sync).toMatchObject({
    exitCode: EXIT.differs,
    output: expect.stringMatching(/has no commit of git/),
  });
});

test("--record records an edit while no engine has agreed", async (place) => {
  place.writeOwn("kernels/double.wgsl", OTHER);
  expect(await place.run("--record", "--reason", "three is more")).toEqual({
    exitCode: EXIT.passed,
    output: "Recorded DOUBLE in kernels/twins.json.",
  });
  const agreement = { commit: null, sha256: digest(OTHER), reason: "three is more" };
  expect(place.twins().kernels.DOUBLE.agreement).toEqual(agreement);
  expect((await place.run()).exitCode).toBe(EXIT.passed);
  expect((await place.run("--record", "--reason", "again")).output).toMatch(/^Nothing to record/);
});

test("--record takes a new kernel in, which has no twin; an engine's sync leaves it alone", async (place) => {
  place.writeOwn("kernels/triple.wgsl", OTHER);
  const family = "triple";
  place.kernels = [
    ...place.kernels,
    { name: "TRIPLE", family, file: "kernels/triple.wgsl", text: OTHER },
  ];
  expect((await place.run()).output).toMatch(/^unlisted +TRIPLE/);
  expect((await place.run("--record", "--reason", "ours")).output)
    .toBe("Recorded TRIPLE in kernels/twins.json.");
  const twin = {
    places: [],
    agreement: { commit: null, sha256: digest(OTHER), reason: "ours" },
  };
  expect(place.twins().kernels.TRIPLE).toEqual(twin);
  expect((await place.run()).exitCode).toBe(EXIT.passed);
  expect(await place.run("--engine", place.engine)).toMatchObject({
    exitCode: EXIT.passed,
    output: expect.stringMatching(/own +TRIPLE +has no twin/),
  });
  place.commit(place.root);
  expect((await place.run("--sync", "--engine", place.engine)).exitCode).toBe(EXIT.passed);
  expect(place.twins().kernels.TRIPLE).toEqual(twin);
});

test("--record refuses once an engine has agreed", async (place) => {
  await place.run("--sync", "--engine", place.engine);
  place.writeOwn("kernels/double.wgsl", OTHER);
  const { exitCode, output } = await place.run("--record", "--reason", "in a hurry");
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toMatch(/DOUBLE agrees with the engine's commit .*Change the engine first, then:/);
  expect((await place.run()).output).not.toContain("--record");
});

test("--emit prints constants that the engine can take back", async (place) => {
  const { output } = await place.run("--emit", "rust", "DOUBLE");
  place.writeEngine("gpu/wgsl.rs", `${output}\n`);
  place.writeEngine("page.js", `${(await place.run("--emit", "js")).output}\n`);
  expect((await place.run("--engine", place.engine)).exitCode).toBe(EXIT.passed);
});

test("--against compares with another revision", async (place) => {
  expect(await place.run("--against", "main")).toEqual({
    exitCode: EXIT.passed,
    output: "same     kernels/double.wgsl\n\nAgainst main: 1 same",
  });
  place.writeOwn("kernels/old.wgsl", SHADER);
  place.commit(place.root);
  Deno.removeSync(join(place.root, "kernels/old.wgsl"));
  place.writeOwn("kernels/double.wgsl", OTHER);
  place.writeOwn("kernels/new.wgsl", SHADER);
  place.kernels.push({ ...place.kernels[0]!, name: "NEW", file: "kernels/new.wgsl" });
  const { exitCode, output } = await place.run("--against", "main");
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toBe(`differs  kernels/double.wgsl: code
  --- main kernels/double.wgsl
  +++ kernels/double.wgsl
  @@ -3,5 +3,5 @@
        3     3 |
        4     4 | @compute @workgroup_size(64)
        5     5 | fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  -     6       |   O[id.x] = O[id.x] * 2.0;
  +           6 |   O[id.x] = O[id.x] * 3.0;
        7     7 | }
new      kernels/new.wgsl
removed  kernels/old.wgsl

Against main: 1 differs, 1 new, 1 removed`);
});
