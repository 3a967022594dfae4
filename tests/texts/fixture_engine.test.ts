import { expect } from "expect";
import { fileURLToPath } from "node:url";
import { openEngine } from "../../tools/texts/engine.ts";
import { extractTexts } from "../../tools/texts/extract.ts";
import { isShader } from "../../tools/texts/shader_mark.ts";
import { parse } from "./memory_engine.ts";

const engine = openEngine(fileURLToPath(new URL("engine", import.meta.url)), "the test");
const SHADER = Deno.readTextFileSync(new URL("engine/gpu/shaders/double.wgsl", import.meta.url));

Deno.test("the fixture engine's shader is read from every form to the same bytes", () => {
  const { constants, unreadable, files } = extractTexts(engine, ["NOTHING"], parse);
  expect(files).toBe(4);
  expect(unreadable).toEqual([]);
  const same = constants.filter(({ value }) => value.kind === "text" && value.text === SHADER);
  expect(same.map(({ file, name }) => `${file} ${name}`)).toEqual([
    "gpu/shaders/double.wgsl undefined",
    "gpu/wgsl.rs RAW",
    "gpu/wgsl.rs ESCAPED",
    "gpu/wgsl.rs CONTINUED",
    "gpu/wgsl.rs INCLUDED",
    "gpu/wgsl.rs JOINED",
    "page/module.js TEMPLATE",
    "page/module.js STRING",
    "page/module.js SUM",
    "page/module.js code",
    "src/shaders.ts TYPED",
    "src/shaders.ts FIXED",
    "src/shaders.ts MEMBER",
  ]);
  expect(constants.find(({ name }) => name === "NOTHING")!.value).toMatchObject({ text: "" });

  const open = constants.filter(({ value }) => value.kind === "open" && isShader(value.text));
  expect(open.map(({ name, value }) => `${name}: ${value.kind === "open" && value.reason}`))
    .toEqual([
      "SOME_OF_IT: env! makes its text",
      "undefined: format! makes its text",
      "TEMPLATE: a template fills in its {{WG}}",
      "tagged: it passes through the tag dedent",
      "undefined: its template has ${workgroup}",
    ]);
  // Every shader is one of the two.
  const shaders = constants.filter(({ value }) => isShader(value.text));
  expect(shaders.length).toBe(same.length + open.length);
});
