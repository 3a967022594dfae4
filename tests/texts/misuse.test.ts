import { expect } from "expect";
import { join } from "node:path";
import { EXIT } from "../../tools/exit_codes.ts";
import { test, type Workplace } from "./workplace.ts";

const MISUSES: [args: (place: Workplace) => string[], message: RegExp][] = [
  [
    ({ engine }) => ["--engine", `${engine}/none`],
    /engine that --engine names: there is no .*none/,
  ],
  [({ engine }) => ["--engine", `${engine}/page.js`], /page\.js is a file, not a folder/],
  [({ engine }) => ["--engine", `${engine}/docs`], /no Rust, JavaScript, TypeScript or WGSL/],
  [() => ["--sync"], /no engine is named. Say --engine PATH, or set BANKML_DIR/],
  [() => ["--sync", "--emit", "js"], /Cannot do --sync and --emit at once/],
  [() => ["DOUBLE"], /Cannot limit a comparison to DOUBLE/],
  [() => ["--emit", "js", "TRIPLE"], /no such kernel. There are: DOUBLE/],
  [() => ["--allow-dirty"], /without --sync/],
  [() => ["--reason", "x"], /without --record/],
  [() => ["--record"], /without a reason/],
  [() => ["--record", "--reason", " "], /without a reason/],
  [({ engine }) => ["--against", "main", "--engine", engine], /Cannot use --engine with --against/],
  [() => ["--against", "nowhere"], /Cannot compare with nowhere: it is no commit/],
  [() => ["--against", "--output=x"], /Cannot compare with --output=x: it is no commit/],
];

test("each misuse is refused with its remedy", async (place) => {
  Deno.mkdirSync(join(place.engine, "docs"));
  for (const [args, message] of MISUSES) {
    const { exitCode, output } = await place.run(...args(place));
    expect(output).toMatch(message);
    expect([output, exitCode]).toEqual([output, EXIT.usage]);
  }
  Deno.env.set("BANKML_DIR", "/nowhere/at/all");
  expect((await place.run()).output).toMatch(/engine that BANKML_DIR names: there is no \/nowhere/);
  Deno.env.set("BANKML_DIR", ""); // unset, for practical purposes
  expect((await place.run()).exitCode).toBe(EXIT.passed);
});

test("a folder that is not the engine is told from an engine with faults", async (place) => {
  const { exitCode, output } = await place.run("--engine", join(place.engine, "gpu"));
  expect(exitCode).toBe(EXIT.differs);
  expect(output).toMatch(/moved +DOUBLE +gpu\/wgsl\.rs D is now wgsl\.rs:1 D/);
  expect(output).toContain("is this the engine's checkout, from its top folder?");
  place.writeEngine("gpu/wgsl.rs", "");
  expect((await place.run("--engine", join(place.engine, "gpu"))).output)
    .toContain("No twin is at its place: is this the engine's checkout, from its top folder?");
});

test("our own text that is not UTF-8 is named", async (place) => {
  place.writeOwn("kernels/double.wgsl", new Uint8Array([0x61, 0xff]));
  expect((await place.run()).output).toMatch(/it is not UTF-8: byte 0xff at line 1, byte 2/);
});

const BAD_TWINS: [twins: unknown, message: RegExp][] = [
  [[], /the top is not an object/],
  [{ kernels: {} }, /others is not a list/],
  [{ kernels: { A: {} }, others: [] }, /kernels\.A\.places is not a list/],
  [{ kernels: { A: { places: [] } }, others: [] }, /kernels\.A\.agreement is not an object/],
  [{ kernels: { A: { places: [{}] } }, others: [] }, /kernels\.A\.places\[0\]\.file is not a text/],
  [
    { kernels: { A: { places: [{ file: "a" }], agreement: { commit: 1 } } }, others: [] },
    /kernels\.A\.agreement\.commit is not a text/,
  ],
  [
    {
      kernels: { A: { places: [{ file: "a" }], agreement: { commit: null, sha256: "12" } } },
      others: [],
    },
    /kernels\.A\.agreement\.sha256 is not 64 hexadecimal digits/,
  ],
  [{ kernels: {}, others: [{ file: "a" }] }, /others\[0\]\.reason is not a text/],
];

test("a mistake in twins.json is named by its place", async (place) => {
  for (const [twins, message] of BAD_TWINS) {
    place.writeTwins(twins);
    const { exitCode, output } = await place.run();
    expect(output).toMatch(message);
    expect(exitCode).toBe(EXIT.usage);
  }
  place.writeOwn("kernels/twins.json", "{");
  expect((await place.run()).output).toMatch(/Cannot read kernels\/twins\.json: it is not JSON/);
  Deno.removeSync(join(place.root, "kernels/twins.json"));
  expect((await place.run()).output).toMatch(/Cannot read kernels\/twins\.json: it is not there/);
});
