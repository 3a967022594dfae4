import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { emit } from "../../tools/texts/emit.ts";
import { extract, SHADER } from "./memory_engine.ts";

const NASTY: Readonly<Record<string, string>> = {
  "nothing": "",
  "one line feed": "\n",
  "no line feed at the end": "fn",
  "a line feed before": "\nfn",
  "quotes": `"'"`,
  "quotes and hashes": `a"#b"##c"###d`,
  "256 hashes": `a"${"#".repeat(256)}b`,
  "255 hashes": `a"${"#".repeat(255)}b`,
  "254 hashes": `a"${"#".repeat(254)}b`,
  "hashes alone": "###",
  "a quote at the end": `fn"`,
  "backslashes": "\\ \\\\ \\n \\` \\${ \\u{40} \\",
  "a backslash before a line feed": "a\\\n   b",
  "backticks": "`` ` ```",
  "placeholders": "${a} $${b} $ {c} \\${d} $",
  "carriage returns": "a\r\nb\rc\r",
  "control characters": Array.from({ length: 32 }, (_, i) => `${String.fromCharCode(i)}0`).join(""),
  "a byte order mark": "\uFEFFfn",
  "line separators": "a\u2028b\u2029c\u0085d",
  "turned reading": "a\u202eb\u2066c\u200ed",
  "beyond ASCII": "π·µ é 𝛼 \u{10ffff} \uFFFD \uE000",
  "comments' ends": "*/ /* // */ --> <!-- </script>",
  "blanks at lines' ends": "a  \n\tb\t\n  ",
  "a shader": SHADER,
};

Deno.test("what is emitted reads back to the same bytes", () => {
  const texts = [...Object.entries(NASTY), ...KERNELS.map(({ name, text }) => [name, text])];
  for (const [what, text] of texts as [string, string][]) {
    const rust = emit("rust", "T", text);
    const js = emit("js", "T", text);
    for (const [file, source] of [["a.rs", rust], ["a.js", js], ["a.ts", js]]) {
      const { constants, unreadable } = extract({ [file!]: source! });
      expect([what, file, unreadable]).toEqual([what, file, []]);
      expect([what, file, constants.map(({ name, value }) => [name, value.kind, value.text])])
        .toEqual([what, file, [["T", "text", text]]]);
    }
  }
});

Deno.test("JavaScript itself reads what is emitted as the same text", async () => {
  for (const [what, text] of Object.entries(NASTY)) {
    const module = await import(
      `data:text/javascript,${encodeURIComponent(emit("js", "T", text))}`
    );
    expect([what, module.T]).toEqual([what, text]);
  }
});

Deno.test("a kernel is emitted as a person would write it", () => {
  const [, ...rest] = SHADER.split("\n");
  expect(emit("rust", "DOUBLE", SHADER))
    .toBe(`pub const DOUBLE: &str = r"// doubles\n${rest.join("\n")}";\n`);
  expect(emit("js", "DOUBLE_WGSL", SHADER))
    .toBe(`export const DOUBLE_WGSL = /* wgsl */ \`// doubles\n${rest.join("\n")}\`;\n`);
  expect(emit("rust", "T", `say "hi"`)).toBe(`pub const T: &str = r#"say "hi""#;\n`);
});
