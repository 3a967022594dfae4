/** The rules of the house that hold for reference/ alone. */

import { expect } from "expect";

const ROOM = new URL("../../reference/", import.meta.url);
const files = [...Deno.readDirSync(ROOM)].map((entry) => entry.name).sort();

function linesWith(pattern: RegExp, name: string): string[] {
  const code = Deno.readTextFileSync(new URL(name, ROOM))
    .replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\/\/.*$/gm, "");
  return code.split("\n").filter((line) => pattern.test(line)).map((line) => line.trim());
}

Deno.test("reference/ rounds to f32 in one file, imports only itself, and uses no runtime", () => {
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) {
    if (name !== "f32.ts") expect(linesWith(/fround/, name)).toEqual([]);
    expect(linesWith(/\bDeno\b|\bprocess\b|Math\.random|performance|\bDate\b/, name)).toEqual([]);
    expect(linesWith(/from "(?!\.\/[a-z0-9_]+\.ts")|import\(/, name)).toEqual([]);
  }
  expect(linesWith(/import|from "/, "exact.ts")).toEqual([]);
});
