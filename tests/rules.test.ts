/** The rules of the house that can be held by reading the sources. */
import { expect } from "expect";
import { dirname, join, relative } from "node:path";
import { fromFileUrl } from "./support/paths.ts";

const ROOT = fromFileUrl("../../");

/** What a room may import, besides itself: ARCHITECTURE.md says why. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  reference: [],
  cases: ["reference"],
  kernels: ["cases"],
  "tools/runner": ["kernels", "cases", "tools/profile"],
  "tools/diagnose": [
    "reference",
    "cases",
    "kernels",
    ...["runner", "profile", "wgsl"].map((room) => `tools/${room}`),
    "tools/exit_codes.ts",
  ],
  // Reports show what these rooms found: their types, and constants that name it.
  "tools/report": ["runner", "timing", "profile", "diagnose", "mutants"].map((room) =>
    `tools/${room}`
  ),
};

/** Every source of ours, from the top of the repository. */
function sources(folder = ""): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".")) return [];
    const path = join(folder, name);
    return isDirectory ? sources(path) : name.endsWith(".ts") ? [path] : [];
  });
}

const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));

/** Files of ours that a file imports. */
function imports(path: string): string[] {
  return [...read(path).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
    .map(([, target]) => relative(ROOT, join(ROOT, dirname(path), target!)));
}

function roomOf(path: string): string {
  const [top, second] = path.split("/") as [string, string];
  return top === "tools" ? `${top}/${second}` : top;
}

for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
  Deno.test(`${room}/ imports ${allowed.join(", ") || "nothing outside itself"}`, () => {
    const files = sources(room);
    expect(files.length).toBeGreaterThan(3);
    const strays = files.flatMap((file) =>
      imports(file).filter((target) => ![room, ...allowed].includes(roomOf(target)))
        .map((target) => `${file} imports ${target}`)
    );
    expect(strays).toEqual([]);
  });
}

/** Everything that a page gets with mod.ts. */
function reachable(from: string, seen = new Set<string>()): Set<string> {
  if (!seen.has(from) && from.endsWith(".ts")) {
    seen.add(from);
    for (const target of imports(from)) reachable(target, seen);
  }
  return seen;
}

/** Words that only Deno or Node knows. */
const NOT_ON_A_PAGE = /\bDeno\.|from "node:|from "npm:|\bprocess\.|\bBuffer\./;

Deno.test("mod.ts reaches web interfaces only", () => {
  const files = [...reachable("mod.ts")];
  expect(files.length).toBeGreaterThan(40);
  const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(files.filter((file) => NOT_ON_A_PAGE.test(code(file)))).toEqual([]);
  const bare = files.flatMap((file) => [...code(file).matchAll(/from "([a-z][^"]*)"/g)])
    .map(([, name]) => name);
  expect(bare).toEqual([]); // a page has no import map of ours
});

Deno.test("randomness comes from the seeded generator alone", () => {
  const files = sources().filter((file) => !file.startsWith("tests/"));
  expect(files.filter((file) => /Math\.random|crypto\.getRandomValues/.test(read(file)))).toEqual(
    [],
  );
});

Deno.test("one idea a file: sources stay short", () => {
  const long = sources().filter((file) => !file.startsWith("tests/"))
    .map((file) => ({ file, lines: read(file).split("\n").length }))
    .filter(({ lines }) => lines > 260);
  expect(long).toEqual([]);
});

Deno.test("the rules find what breaks them", () => {
  expect(NOT_ON_A_PAGE.test('const text = Deno.readTextFileSync("x");')).toBe(true);
  expect(NOT_ON_A_PAGE.test('import { join } from "node:path";')).toBe(true);
  expect(imports("tools/runner/plan.ts")).toContain("cases/mod.ts");
  expect(roomOf("tools/runner/plan.ts")).toBe("tools/runner");
});
