/** The parser of shader texts: every node where it stands, and nothing skipped. */
import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { parseWgsl } from "../../tools/wgsl/parse.ts";
import { expressionsIn, expressionsOf, parts, statementsIn } from "../../tools/wgsl/syntax.ts";

for (const { name, text } of KERNELS) {
  Deno.test(`${name} is parsed whole: each node holds its parts and reads as it was written`, () => {
    let nodes = 0;
    for (const declaration of parseWgsl(text)) {
      if (declaration.kind !== "function") continue;
      for (const statement of statementsIn(declaration.body)) {
        for (const whole of expressionsOf(statement)) {
          for (const { one } of expressionsIn(whole)) {
            nodes++;
            for (const part of parts(one)) {
              expect(part.start >= one.start && part.end <= one.end).toBe(true);
            }
            if (one.kind === "literal" || one.kind === "name") {
              expect(text.slice(one.start, one.end)).toBe(one.text);
            }
            if (one.kind === "binary") {
              const { start, end } = one.operatorAt;
              expect(text.slice(start, end)).toBe(one.operator);
            }
          }
        }
      }
    }
    // What a parser skips is a whole function or more.
    expect(nodes).toBeGreaterThan(text.split("\n").length);
  });
}

Deno.test("precedence, templates that close together, attributes", () => {
  const [, f] = parseWgsl(
    "@group(0) @binding(1) var<storage, read> X: array<vec4<f32>>;\n" +
      "fn f(a: u32) -> u32 { return a + 1u * 2u << 3u; }",
  );
  if (f?.kind !== "function") throw new Error("no function");
  const [statement] = f.body.statements;
  if (statement?.kind !== "return") throw new Error("no return");
  expect(statement.value).toMatchObject({
    operator: "<<",
    left: { operator: "+", right: { operator: "*" } },
  });
});

Deno.test("what it does not know it refuses, with the place", () => {
  expect(() => parseWgsl("fn f() {\n  switch x { default: {} }\n}")).toThrow(
    /line 2, column \d+: expected .*tools\/wgsl/,
  );
  expect(() => parseWgsl("fn f( {")).toThrow(/line 1/);
});
