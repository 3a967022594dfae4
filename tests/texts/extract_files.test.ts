import { expect } from "expect";
import { decodeFile } from "../../tools/texts/decode.ts";
import { isShader, mayHoldText } from "../../tools/texts/shader_mark.ts";
import { extract, type Files, SHADER } from "./memory_engine.ts";

const raw = String.raw;

function shaders(files: Files): string[] {
  return extract(files).constants.filter(({ value }) => isShader(value.text))
    .map(({ file, line, name, value }) => `${file}:${line} ${name} ${value.kind}`);
}

Deno.test("a .wgsl file is one text, byte for byte", () => {
  const text = "\uFEFF// π\r\nfn a() {}\n";
  const [file] = extract({ "shaders/a.wgsl": text }).constants;
  expect(file).toMatchObject({ file: "shaders/a.wgsl", name: undefined, line: 1 });
  expect(file!.value).toMatchObject({ kind: "text", text });
});

Deno.test("in literals CR LF is LF, as the compilers read it, and the file is named", () => {
  const files = {
    "a.rs": 'const T: &str = "a\r\n b";\r\n',
    "b.js": "const T = `a\r\n b`;\r\n",
    "c.js": "\uFEFFconst T = 'a\\\r\nb';",
  };
  const { constants, oddities } = extract(files);
  expect(constants.map(({ value }) => value.text)).toEqual(["a\n b", "a\n b", "ab"]);
  expect(constants.map(({ value }) => value.kind)).toEqual(["text", "text", "text"]);
  expect([...oddities]).toEqual([
    ["a.rs", "CR LF"],
    ["b.js", "CR LF"],
    ["c.js", "a byte order mark and CR LF"],
  ]);
});

Deno.test("each line of a text knows its line in the engine's files", () => {
  const files = {
    "a.rs": `//\nconst T: &str = concat!("a\\nb\\\n   c\\n", // two lines of text on one\n` +
      `include_str!("i.wgsl"), r"\n\nz");`,
    "i.wgsl": "x\ny\n",
  };
  const { value } = extract(files).constants.find(({ name }) => name === "T")!;
  expect(value.text).toBe("a\nbc\nx\ny\n\n\nz");
  expect(value.kind === "text" && value.lines.map(({ file, line }) => `${file}:${line}`)).toEqual([
    "a.rs:2", // a
    "a.rs:2", // bc
    "i.wgsl:1",
    "i.wgsl:2",
    "a.rs:4",
    "a.rs:5",
    "a.rs:6",
  ]);
});

Deno.test("bytes that are not UTF-8 are named by their place", () => {
  const cases: [number[], RegExp][] = [
    [[0xff], /byte 0xff at line 1, byte 1 of the line$/],
    [[0x61, 0x0a, 0x62, 0xc3, 0x28], /byte 0xc3 at line 2, byte 2 of the line$/],
    [[0xef, 0xbf, 0xbd, 0x80], /byte 0x80 at line 1, byte 4/], // after a U+FFFD of its own
    [[0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80], /byte 0xed at line 1, byte 5/], // a surrogate
    [[0x61, 0xf0, 0x9f], /byte 0xf0 at line 1, byte 2/], // cut off
    [[0xff, 0xfe, 0x61, 0x00], /UTF-16/],
  ];
  for (const [bytes, message] of cases) {
    const decoded = decodeFile(new Uint8Array(bytes));
    expect("bad" in decoded && decoded.bad).toMatch(message);
  }
});

Deno.test("a file that is not UTF-8 is reported where it may hold a shader", () => {
  const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const utf16 = new Uint8Array(new Uint16Array([0xfeff, ...latin1("@compute")]).buffer);
  const { unreadable } = extract({
    "shader.rs": latin1('const A: &str = "@compute fn é";'),
    "named.js": latin1("const T = 'é';"),
    "wide.ts": utf16,
    "a.wgsl": latin1("é"),
    "harmless.js": latin1("// é"),
  });
  expect(unreadable.map(({ file }) => file)).toEqual([
    "shader.rs",
    "named.js",
    "wide.ts",
    "a.wgsl",
  ]);
});

Deno.test("a source that cannot be parsed is reported where a shader may be lost", () => {
  const { unreadable } = extract({
    "cut.rs": 'fn ok() {}\nconst A: &str = r#"@compute fn main() {}',
    "harmless.js": "const U = 'fn'; )))",
  });
  expect(unreadable.map(({ file, line }) => `${file}:${line}`)).toEqual(["cut.rs:2"]);
});

Deno.test("a shader is seen in whatever holds it", () => {
  const cases: [string, string, string][] = [
    ["a.rs", 'const A: &str = "@compute fn m() {}";', "A text"],
    ["a.rs", 'fn f() { run("@compute fn m() {}"); }', "undefined text"],
    ["a.rs", 'static A: [&str; 1] = ["@compute @workgroup_size(1) fn m() {}"];', "undefined text"],
    ["a.rs", 'lazy_static! { static ref A: String = "@compute fn m".into(); }', "undefined open"],
    ["a.rs", 'let a = format!("@compute fn {}", name);', "a open"],
    ["a.rs", 'const A: &str = concat!("@comp", "ute fn m() {}");', "A text"],
    ["a.rs", 'const A: &str = "@comp\\\n   ute fn m() {}";', "A text"],
    ["a.rs", raw`const A: &str = "\x40compute fn m() {}";`, "A text"],
    ["a.rs", raw`const A: &str = "@\u{63}ompute fn m() {}";`, "A text"],
    ["a.rs", 'const A: Lazy<String> = Lazy::new("@compute fn m() {}");', "A open"],
    ["a.rs", 'const A: &str = "@ compute fn m() {}";', "A text"],
    ["a.rs", 'const A: &str = "@/* */compute fn m() {}";', "A text"],
    ["a.js", "const a = `@compute fn m() {}`;", "a text"],
    ["a.js", "device.createShaderModule({ code: `@compute fn m() {}` });", "code text"],
    ["a.js", "device.createShaderModule({ code: dedent(`@compute fn m`) });", "code open"],
    ["a.js", "const a = '@com' + 'pute fn m() {}';", "a text"],
    ["a.js", "const a = `@compute @workgroup_size(${n}) fn m() {}`;", "a open"],
    ["a.js", "const a = `@${stage} fn m() {} @compute`;", "a open"],
    ["a.js", "f(['@compute @workgroup_size(1)', 'fn m() {}'].join('\\n'));", "undefined text"],
    ["a.js", "const a = n ? `@compute fn m() {}` : ``;", "a open"],
    ["a.js", raw`const a = "\u0040compute fn m() {}";`, "a text"],
    ["a.js", raw`const a = "\@c\ompute fn m() {}";`, "a text"],
    ["a.ts", "const a: string = `@compute fn m() {}`;", "a text"],
    ["a.wgsl", SHADER, "undefined text"],
  ];
  for (const [file, source, want] of cases) {
    expect([source, ...shaders({ [file]: source })]).toEqual([source, `${file}:1 ${want}`]);
  }
});

Deno.test("what is no shader is not taken for one", () => {
  const cases: [string, string][] = [
    ["a.rs", '/// const A: &str = "@compute fn m() {}";\nfn f() {}'],
    ["a.rs", '//! @compute fn m() {}\n/** "@compute fn m() {}" */ fn f() {}'],
    ["a.rs", '#[doc = "@compute fn m() {}"]\nfn f() {}'],
    ["a.rs", '#![doc = "@compute fn m() {}"]'],
    ["a.rs", 'fn f() { panic!("no @compute entry point"); }'],
    ["a.rs", 'const A: &str = "// @compute fn m() {}\\nfn f() {}";'],
    ["a.js", "// `@compute fn m() {}`\nexport {};"],
    ["a.js", "throw new Error('no @compute entry point');"],
    ["a.ts", "type A = `@compute fn m() {}`; let a: '@compute fn m() {}';"],
    ["a.wgsl", "/* /* */ @compute */ fn helper() {}"],
    ["a.txt", SHADER],
  ];
  for (const [file, source] of cases) {
    expect([source, ...shaders({ [file]: source })]).toEqual([source]);
  }
});

Deno.test("the quick look never passes over a shader", () => {
  const mayHold = mayHoldText([]);
  const word = "@compute";
  for (let cut = 1; cut < word.length; cut++) {
    const [head, tail] = [word.slice(0, cut), word.slice(cut)];
    for (const joint of ['" + "', '", "', "' + '", "` + `", "\\\n  ", '"#, r#"', "${''}"]) {
      expect([joint, mayHold(`"${head}${joint}${tail}"`)]).toEqual([joint, true]);
    }
  }
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const hex = code.toString(16);
    for (const escape of [`\\x${hex}`, `\\u00${hex}`, `\\u{${hex}}`, `\\u{00${hex}}`]) {
      const source = word.slice(0, at) + escape + word.slice(at + 1);
      expect([source, mayHold(source)]).toEqual([source, true]);
    }
  }
  expect(mayHold("const at = `user@example.org`; // @param x is @computed")).toBe(true);
  expect(mayHold("const mail = `user@example.org`; // @param {string} x")).toBe(false);
});

Deno.test("a constant that is broken is never taken for a text", () => {
  const broken = [
    ["a.rs", 'const T: &str = "fn'],
    ["a.rs", 'const T: &str = "fn\\";'],
    ["a.rs", 'const T: &str = r##"fn"#;'],
    ["a.rs", 'const T: &str = concat!("a" "b");'],
    ["a.rs", 'const T: &str = concat!("a", "b";'],
    ["a.js", "const T = `fn"],
    ["a.js", "const T = 'fn\nconst U = 1;"],
    ["a.js", "const T = 'a' + # 'b';"],
    ["a.js", "const T = 'a' 'b';"],
    ["a.js", "const T = `a${`;"],
  ];
  for (const [file, source] of broken) {
    const { constants, unreadable } = extract({ [file!]: source! });
    const known = constants.filter(({ name, value }) => name === "T" && value.kind === "text");
    expect([source, known, unreadable.length + constants.length > 0]).toEqual([source, [], true]);
  }
});
