import { expect } from "expect";
import { compareWithEngine, compareWithRecord, twinNames } from "../../tools/texts/compare.ts";
import { digest, type OwnText } from "../../tools/texts/own.ts";
import { describeFindings } from "../../tools/texts/report.ts";
import type { Other, Twins } from "../../tools/texts/twins.ts";
import { extract, type Files, SHADER } from "./memory_engine.ts";

const OWN: OwnText = {
  name: "DOUBLE",
  family: "double",
  file: "kernels/double.wgsl",
  text: SHADER,
};
const OTHER = SHADER.replace("2.0", "3.0");

function twins(sha256 = digest(SHADER), others: Other[] = []): Twins {
  const places = [{ file: "gpu/wgsl.rs", name: "D" }, { file: "page.js", name: "D_WGSL" }];
  return { kernels: { DOUBLE: { places, agreement: { commit: null, sha256 } } }, others };
}

const rust = (text: string, name = "D") => `pub const ${name}: &str = r#"${text}"#;\n`;
const js = (text: string, name = "D_WGSL") => `export const ${name} = \`${text}\`;\n`;
const GOOD = { "gpu/wgsl.rs": rust(SHADER), "page.js": js(SHADER) };

function report(files: Files, listed = twins(), own = [OWN]): string[] {
  const findings = compareWithEngine(own, listed, extract(files, twinNames(listed)));
  return describeFindings(findings).split("\n");
}

/** The findings that are not "same". */
function wrong(files: Files, listed = twins(), own = [OWN]): string {
  return report(files, listed, own).filter((line) => !line.startsWith("same ")).join("\n");
}

const squeezed = (text: string) => text.replace(/ +/g, " ");

Deno.test("twins that are the same are said to be", () => {
  expect(report(GOOD)).toEqual([
    "same       DOUBLE   gpu/wgsl.rs:1 D",
    "same       DOUBLE   page.js:1 D_WGSL",
  ]);
});

Deno.test("a twin that differs is shown with the line numbers of both files", () => {
  const page = `// page\n\n${js(OTHER)}`;
  expect(wrong({ ...GOOD, "page.js": page })).toBe(
    `differs    DOUBLE   page.js:3 D_WGSL: code
  --- kernels/double.wgsl
  +++ page.js:3 D_WGSL
  @@ -3,5 +5,5 @@
        3     5 |
        4     6 | @compute @workgroup_size(64)
        5     7 | fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  -     6       |   O[id.x] = O[id.x] * 2.0;
  +           8 |   O[id.x] = O[id.x] * 3.0;
        7     9 | }`,
  );
});

Deno.test("what an eye would miss is shown in a changed line", () => {
  const blanks = SHADER.replace("{\n  O[id.x]", "{ \n\tO[id.x]\u00a0\u200b");
  const shown = wrong({ ...GOOD, "gpu/wgsl.rs": rust(blanks) });
  expect(shown).toContain(
    "+           5 | fn main(@builtin(global_invocation_id) id: vec3<u32>) {·",
  );
  expect(shown).toContain("+           6 | →O[id.x]<U+00A0><U+200B> = O[id.x] * 2.0;");
});

Deno.test("a missing line end at the end is shown", () => {
  const shown = wrong({ ...GOOD, "page.js": js(SHADER.trimEnd()) });
  expect(shown).toContain("only whitespace or comments (the tokens are the same)");
  expect(shown).toContain("\\ No newline at end of file");
});

Deno.test("a .wgsl twin with CR LF or a mark differs, and the cause is named", () => {
  const listed: Twins = { ...twins(), others: [] };
  const places = [{ file: "double.wgsl" }];
  const kernels = { DOUBLE: { ...listed.kernels.DOUBLE!, places } };
  const file = (text: string) => wrong({ "double.wgsl": text }, { ...listed, kernels });
  expect(file(SHADER)).toBe("");
  expect(file(SHADER.replaceAll("\n", "\r\n"))).toContain(
    "double.wgsl:1: only line ends, CR LF there (the tokens are the same)",
  );
  expect(file(`\uFEFF${SHADER}`)).toContain("only a byte order mark (EF BB BF) there");
});

Deno.test("texts that have nothing in common get a diff that ends", () => {
  const long = (word: string) => `${Array.from({ length: 30_000 }, (_, i) => word + i).join("\n")}`;
  const own = { ...OWN, text: long("a") };
  const started = performance.now();
  const shown = wrong({ ...GOOD, "page.js": js(long("b")) }, twins(digest(own.text)), [own]);
  expect(shown).toContain("(the two have too little in common for a diff)");
  expect(performance.now() - started).toBeLessThan(5000);
});

Deno.test("an empty twin differs", () => {
  expect(wrong({ ...GOOD, "page.js": js("") })).toContain("page.js:1 D_WGSL: code");
});

// Each fault that the comparison is for, planted.
const FAULTS: [what: string, files: Files, want: RegExp][] = [
  [
    "a twin's constant is gone",
    { ...GOOD, "page.js": "export {};" },
    /^gone DOUBLE page\.js D_WGSL is not in the engine$/,
  ],
  [
    "a twin's file is gone",
    { "gpu/wgsl.rs": GOOD["gpu/wgsl.rs"] },
    /^gone DOUBLE page\.js D_WGSL/,
  ],
  [
    "a twin moved to another file",
    { "gpu/wgsl.rs": GOOD["gpu/wgsl.rs"], "src/page.ts": `\n${js(SHADER)}` },
    /^moved DOUBLE page\.js D_WGSL is now src\/page\.ts:2 D_WGSL: correct its place/,
  ],
  [
    "a twin moved and changed",
    { "gpu/wgsl.rs": GOOD["gpu/wgsl.rs"], "src/page.ts": js(OTHER) },
    /^moved DOUBLE page\.js D_WGSL is now src\/page\.ts:1 D_WGSL/,
  ],
  [
    "a twin got another name",
    { ...GOOD, "page.js": js(SHADER, "E_WGSL") },
    /^moved DOUBLE page\.js D_WGSL is now page\.js:1 E_WGSL/,
  ],
  [
    "a twin became a file",
    { "gpu/wgsl.rs": GOOD["gpu/wgsl.rs"], "double.wgsl": SHADER },
    /^moved DOUBLE page\.js D_WGSL is now double\.wgsl:1:/,
  ],
  [
    "one of two constants of one name differs",
    { ...GOOD, "gpu/wgsl.rs": `#[cfg(a)] ${rust(SHADER)}#[cfg(not(a))] ${rust(OTHER)}` },
    /^differs DOUBLE gpu\/wgsl\.rs:9 D: code/,
  ],
  [
    "a twin passes through a template",
    { ...GOOD, "page.js": js(SHADER.replace("64", "${wg}")) },
    /^unknown DOUBLE page\.js:1 D_WGSL cannot be compared as text: its template has \$\{wg\}/,
  ],
  [
    "a twin has a template's placeholder",
    { ...GOOD, "page.js": js(SHADER.replace("64", "{{WG}}")) },
    /cannot be compared as text: a template fills in its \{\{WG\}\}$/,
  ],
  [
    "a shader that no kernel claims",
    { ...GOOD, "src/new.ts": js(OTHER, "NEW") },
    /^unclaimed src\/new\.ts:1 NEW is a shader that no kernel claims: add it/,
  ],
  [
    "a shader in no constant",
    { ...GOOD, "src/new.rs": `fn f() { run(r"${OTHER}"); }` },
    /^unclaimed src\/new\.rs:1 is a shader that no kernel claims/,
  ],
  [
    "a shader that a macro makes",
    { ...GOOD, "src/new.rs": `fn f() { let s = format!("@compute fn {}", n); }` },
    /no kernel claims \(nor can it be compared as text: format! makes its text\)/,
  ],
  [
    "a copy of a kernel",
    { ...GOOD, "src/new.ts": js(SHADER, "COPY") },
    /^unclaimed src\/new\.ts:1 COPY is a copy of DOUBLE that kernels\/twins\.json does not name/,
  ],
  [
    "a .wgsl file that no kernel claims",
    { ...GOOD, "new.wgsl": OTHER },
    /^unclaimed new\.wgsl:1 is a shader/,
  ],
  [
    "a twin's file is not UTF-8",
    { ...GOOD, "page.js": new Uint8Array([...new TextEncoder().encode(GOOD["page.js"]), 0xff]) },
    /^gone .*\nunreadable page\.js:1: it is not UTF-8: byte 0xff at line 9, byte 1/,
  ],
  [
    "a twin cannot be parsed",
    { ...GOOD, "gpu/wgsl.rs": rust(SHADER).replace(`"#;`, "") },
    /^gone .*\nunreadable gpu\/wgsl\.rs:1: it cannot be parsed from here on/,
  ],
  [
    "nothing is there",
    {},
    /^gone DOUBLE gpu\/wgsl\.rs D .*\ngone DOUBLE page\.js D_WGSL/,
  ],
];

for (const [what, files, want] of FAULTS) {
  Deno.test(`caught: ${what}`, () => expect(squeezed(wrong(files))).toMatch(want));
}

Deno.test("a file that a twin includes is not another shader", () => {
  const files = {
    ...GOOD,
    "gpu/wgsl.rs": 'const D: &str = include_str!("double.wgsl");',
    "gpu/double.wgsl": SHADER,
  };
  expect(wrong(files)).toBe("");
  const others = [{ file: "probe.rs", name: "PROBE", reason: "measures, computes nothing" }];
  const probe = { "probe.rs": 'const PROBE: &str = include_str!("p.wgsl");', "p.wgsl": OTHER };
  expect(wrong({ ...GOOD, ...probe }, twins(undefined, others))).toBe("");
});

Deno.test("an engine's shader that is no kernel is excused by name, and only while it is there", () => {
  const others = [{ file: "probe.rs", name: "PROBE", reason: "measures, computes nothing" }];
  const listed = twins(undefined, others);
  expect(wrong({ ...GOOD, "probe.rs": rust(OTHER, "PROBE") }, listed)).toBe("");
  expect(squeezed(wrong({ ...GOOD, "probe.rs": rust(OTHER, "PROBE_2") }, listed))).toMatch(
    /^unclaimed probe\.rs:1 PROBE_2.*\nstale probe\.rs PROBE is no shader of the engine any more/,
  );
});

Deno.test("kernels and entries of twins.json are held against each other, both ways", () => {
  const triple = { ...OWN, name: "TRIPLE", text: OTHER };
  expect(squeezed(wrong(GOOD, twins(), [OWN, triple]))).toMatch(/^unlisted TRIPLE has no entry/);
  expect(squeezed(wrong({}, twins(), [triple]))).toMatch(
    /^unlisted TRIPLE .*\norphan DOUBLE is in/,
  );
});

Deno.test("a kernel that the engine has no twin of is said to be our own", () => {
  const listed = twins();
  const agreement = { commit: null, sha256: digest(OTHER) };
  const both = { ...listed.kernels, TRIPLE: { places: [], agreement } };
  const triple = { ...OWN, name: "TRIPLE", text: OTHER };
  expect(squeezed(wrong(GOOD, { ...listed, kernels: both }, [OWN, triple]))).toBe(
    "own TRIPLE has no twin in the engine (kernels/twins.json)",
  );
  // A copy of it in the engine is found all the same, and an edit of it too.
  const copied = { ...GOOD, "other.js": js(OTHER, "T") };
  expect(squeezed(wrong(copied, { ...listed, kernels: both }, [OWN, triple]))).toMatch(
    /\nunclaimed other\.js:1 T is a copy of TRIPLE/,
  );
  const edited = { ...triple, text: SHADER };
  expect(squeezed(wrong(GOOD, { ...listed, kernels: both }, [OWN, edited]))).toMatch(
    /\nedited TRIPLE/,
  );
});

Deno.test("an edit that was made here first is caught without an engine", () => {
  expect(compareWithRecord([OWN], twins())).toEqual([]);
  const edited = { ...OWN, text: OTHER };
  expect(describeFindings(compareWithRecord([edited], twins()))).toBe(
    `edited     DOUBLE   kernels/double.wgsl is ${digest(OTHER).slice(0, 12)}…, the record, with ` +
      `which no engine has agreed yet, is of ${digest(SHADER).slice(0, 12)}…`,
  );
  const both = { "gpu/wgsl.rs": rust(OTHER), "page.js": js(OTHER) };
  expect(squeezed(wrong(both, twins(), [edited]))).toMatch(/^edited DOUBLE/);
});
