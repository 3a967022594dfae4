import { testExtraction } from "./extraction.ts";

const raw = String.raw;

testExtraction("hf/space/browseml-gpu.js", [
  { what: "a template", source: "export const T = `fn\n  a`;", want: "fn\n  a" },
  { what: "an empty template", source: "const T = ``;", want: "" },
  { what: "an empty string", source: `const T = "";`, want: "" },
  { what: "a template after a comment", source: "export const T = /* wgsl */ `fn`;", want: "fn" },
  {
    what: "escaped backticks, backslashes and placeholders",
    source: raw`export const T = ` + "`\\` \\\\ \\${a} $\\{b} $ {c}`;",
    want: "` \\ ${a} ${b} $ {c}",
  },
  {
    what: "every simple escape",
    source: raw`const T = "\n\r\t\b\v\f\0\\\'\"\q";`,
    want: "\n\r\t\b\v\f\0\\'\"q",
  },
  {
    what: "escapes by code",
    source: raw`const T = "\x40\u0041\u{42}\u{000000043}\ud83d\ude00";`,
    want: "@ABC\u{1f600}",
  },
  { what: "a line continuation", source: "const T = 'a\\\n  b';", want: "a  b" },
  { what: "a line continuation in a template", source: "const T = `a\\\nb`;", want: "ab" },
  { what: "half a surrogate pair", source: raw`const T = "\ud83d";`, open: /half of a surrogate/ },
  { what: "an octal escape", source: raw`const T = "\1";`, open: /no escape \\1/ },
  { what: "String.raw", source: "const T = String.raw`a\\n\\``;", want: "a\\n\\`" },
  { what: "the tag wgsl", source: "const T = wgsl`fn`;", want: "fn" },
  { what: "the tag wgsl, with an escape", source: "const T = wgsl`\\n`;", open: /tag wgsl/ },
  { what: "another tag", source: "const T = dedent`fn`;", open: /passes through the tag dedent/ },
  { what: "a placeholder", source: "const T = `a ${n} b`;", open: /template has \$\{n\}/ },
  {
    what: "two placeholders",
    source: "const T = `${n}${m}`;",
    open: /\$\{n\}; its template has \$\{m\}/,
  },
  { what: "not exported", source: "const T = `fn`;", want: "fn" },
  { what: "let and var", source: "let T = `a`; { var T = `b`; }", want: ["a", "b"] },
  { what: "in a function", source: "function f() { const T = `fn`; }", want: "fn" },
  {
    what: "in a function that is called at once",
    source: "const lib = (() => { const T = `fn`; return T; })();",
    want: "fn",
  },
  { what: "a member of an object", source: "const all = { T: `fn`, 'U': `no` };", want: "fn" },
  { what: "a quoted member", source: "const all = { 'T': `fn` };", want: "fn" },
  { what: "a static member", source: "class K { static T = `fn`; }", want: "fn" },
  { what: "an assignment", source: "T = `fn`;", want: "fn" },
  { what: "an assignment to a member", source: "module.exports.T = `fn`;", want: "fn" },
  { what: "a sum of literals", source: "const T = 'a\\n' + `b` + (\"c\" + 'd');", want: "a\nbcd" },
  {
    what: "a sum over lines, with comments",
    source: "const T = // first\n  'a' +\n  /* second */ 'b';",
    want: "ab",
  },
  {
    what: "a sum of three thousand lines",
    source: `const T = ${Array(3000).fill("'fn\\n'").join(" +\n  ")};`,
    want: "fn\n".repeat(3000),
  },
  { what: "a sum with a variable", source: "const T = 'a' + n + 'b';", open: /n is added to it/ },
  { what: "a sum with a number", source: "const T = 'a' + 1;", open: /1 is added to it/ },
  { what: "a sum of numbers", source: "const T = 1 + (2 + 3);", open: /binary expression/ },
  { what: "joined lines", source: "const T = ['a', 'b'].join('\\n');", open: /call expression/ },
  { what: "trimmed", source: "const T = `fn`.trim();", open: /call expression/ },
  {
    what: "exported again under its own name",
    source: "const T = `fn`; window.T = T; export default { T: T };",
    want: "fn",
  },
  { what: "another variable", source: "const T = OTHER;", open: /another name for OTHER/ },
  {
    what: "a template's placeholder",
    source: "const T = '{{#if f16}}enable f16;{{/if}}';",
    open: /\{\{#if f16\}\}/,
  },
  { what: "a template without an end", source: "const T = `fn", open: /cannot be parsed/ },
  { what: "in a comment", source: "// const T = `fn`;\n/* const T = `fn`; */", want: [] },
  { what: "in a doc comment", source: '/** `const T = "fn"` */\nexport {};', want: [] },
  { what: "in a string", source: "const S = 'const T = `fn`;';", want: [] },
  { what: "two of one name", source: "{ const T = `a`; } { const T = `b`; }", want: ["a", "b"] },
  { what: "text beyond ASCII", source: "const T = `π·µ 𝛼 \u2028`;", want: "π·µ 𝛼 \u2028" },
  {
    what: "a mebibyte",
    source: `const T = \`${"fn a() { \\` }\n".repeat(70_000)}\`;`,
    want: "fn a() { ` }\n".repeat(70_000),
  },
]);

testExtraction("src/page.ts", [
  { what: "a typed constant", source: "export const T: string = `fn`;", want: "fn" },
  { what: "as const", source: "export const T = `fn` as const;", want: "fn" },
  { what: "satisfies", source: "export const T = `fn` satisfies string;", want: "fn" },
  { what: "an assertion", source: "const T = <string>`fn`;", want: "fn" },
  { what: "not null", source: "const T = `fn`!;", want: "fn" },
  { what: "in a namespace", source: "namespace N { export const T = `fn`; }", want: "fn" },
  {
    what: "a read-only member",
    source: "class K { static readonly T: string = `fn`; }",
    want: "fn",
  },
  { what: "an enum's member", source: "enum E { T = `fn` }", want: "fn" },
  { what: "a type", source: "type T = `fn`; let a: 'T';", want: [] },
]);

testExtraction("src/page.tsx", [
  { what: "beside an element", source: "const T = `fn`; const e = <div>T</div>;", want: "fn" },
]);
