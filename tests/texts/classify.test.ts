import { expect } from "expect";
import { classify, type Difference } from "../../tools/texts/classify.ts";
import { describeClass } from "../../tools/texts/report.ts";
import { tokenize } from "../../tools/texts/wgsl_tokens.ts";
import { SHADER } from "./memory_engine.ts";

function tokens(text: string): string {
  return tokenize(text).map((token) => token.text).join(" ");
}

Deno.test("tokens are WGSL's", () => {
  const cases: [string, string][] = [
    ["", ""],
    ["a+b", "a + b"],
    ["a/**/b", "a b"],
    ["a/* /* */ b */c", "a c"], // block comments nest
    ["a/*/b*/c", "a c"], // and "/*/" does not end one
    ["a// b\nc", "a c"],
    ["a// b\u2028c // d\rf", "a c f"], // WGSL's line breaks
    ["a\u0085b\u200ec", "a b c"], // and blanks
    ["a/* b", "a / * b"], // a comment without an end is none
    ["0x1p-24f 0x7f800000u .5f 1.e+3 12i 1.0h", "0x1p-24f 0x7f800000u .5f 1.e+3 12i 1.0h"],
    ["x>>=1u<<2u", "x >>= 1u << 2u"],
    ["a->b++ --c&&d||!e!=f", "a -> b ++ -- c && d || ! e != f"],
    ["größe_1 _x", "größe_1 _x"],
    ["a.x", "a . x"],
    ["#", "#"],
  ];
  for (const [text, want] of cases) expect([text, tokens(text)]).toEqual([text, want]);
});

const BASE = `struct P { rows: u32, zero: u32 } // sizes
@group(0) @binding(0) var<storage> W: array<u32>;
override WG: u32 = 64u;
fn hide(x: f32, z: u32) -> f32 { let bits = bitcast<u32>(x) | z; return bitcast<f32>(bits); }
@compute @workgroup_size(WG) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var row = min(id.x, id.y); var p: P; row = max(row, p.rows);
}
`;

Deno.test("a difference is layout, names or code", () => {
  const change = (from: string | RegExp, to: string) => {
    const changed = BASE.replaceAll(from instanceof RegExp ? new RegExp(from, "g") : from, to);
    expect(changed).not.toBe(BASE);
    return changed;
  };
  const cases: [string, string, string][] = [
    ["a comment", change("// sizes", "// in rows"), "layout: whitespace or comments"],
    ["a comment more", change("// sizes", "/* a /* b */ */"), "layout: whitespace or comments"],
    ["indentation", change("  var row", "\tvar row"), "layout: whitespace or comments"],
    ["a blank at the end", `${BASE} `, "layout: whitespace or comments"],
    ["no line end at the end", BASE.trimEnd(), "layout: whitespace or comments"],
    ["CR LF", change("\n", "\r\n"), "layout: line ends, CR LF there"],
    ["one CR LF", BASE.replace("\n", "\r\n"), "layout: line ends, CR LF there"],
    ["a mark", `\uFEFF${BASE}`, "layout: a byte order mark (EF BB BF) there"],
    [
      "a mark and CR LF",
      `\uFEFF${change("\n", "\r\n")}`,
      "layout: a byte order mark (EF BB BF) there and line ends, CR LF there",
    ],
    ["a function's name", change("hide", "conceal"), "names: hide → conceal"],
    ["a variable's name", change(/\brow\b/, "line"), "names: row → line"],
    ["a member's name", change("rows", "lines"), "names: rows → lines"],
    ["a parameter's name", change(/\bz\b/, "zero_bits"), "names: z → zero_bits"],
    ["a binding's name", change(/\bW\b/, "weights"), "names: W → weights"],
    ["an override's name", change("WG", "SIZE"), "names: WG → SIZE"],
    [
      "two names exchanged",
      change("hide", "#").replaceAll("main", "hide").replaceAll("#", "main"),
      "names: hide → main, main → hide",
    ],
    ["a number", change("64u", "65u"), "code"],
    ["a spelling of a number", change("64u", "0x40u"), "code"],
    ["an operator", change("| z", "& z"), "code"],
    ["a built-in function", change("min", "max"), "code"],
    ["a built-in type", change("u32", "i32"), "code"],
    ["a swizzle", change("id.y", "id.x"), "code"],
    ["every swizzle", change("id.x", "id.z"), "code"],
    ["a built-in value", change("global_invocation_id", "local_invocation_id"), "code"],
    ["an attribute", change("@binding", "@id"), "code"],
    ["a use without its declaration", change("bitcast<f32>(bits)", "bitcast<f32>(z)"), "code"],
    ["two names that become one", change(/\bz\b/, "x"), "code"],
    ["a statement more", change("var p: P;", "var p: P; row++;"), "code"],
    ["code in a comment", change("  var row", "//  var row"), "code"],
    ["a comment's end", change("// sizes\n", "// sizes "), "code"],
    ["a comment that does not end", change("// sizes", "/* sizes"), "code"],
    ["nothing left", "", "code"],
  ];
  for (const [what, text, want] of cases) {
    expect([what, short(classify(BASE, text))]).toEqual([what, want]);
  }
});

Deno.test("a swizzle that looks like a member is not renamed", () => {
  const text = "struct V { x: f32 } fn f(v: V, w: vec2<f32>) -> f32 { return v.x + w.x; }";
  expect(classify(text, text.replaceAll("x:", "y:").replaceAll(".x", ".y")).kind).toBe("code");
});

Deno.test("the side that has the CR LF or the mark is named", () => {
  expect(describeClass(classify(SHADER.replaceAll("\n", "\r\n"), SHADER)))
    .toBe("only line ends, CR LF here (the tokens are the same)");
  expect(describeClass(classify(`\uFEFF${SHADER}`, SHADER)))
    .toBe("only a byte order mark (EF BB BF) here (the tokens are the same)");
});

function short(difference: Difference): string {
  switch (difference.kind) {
    case "layout":
      return `layout: ${difference.cause}`;
    case "names":
      return `names: ${difference.renamed.map((pair) => pair.join(" → ")).join(", ")}`;
    case "code":
      return "code";
  }
}
