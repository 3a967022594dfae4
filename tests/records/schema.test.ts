/** `record.schema.json` is the form of every record, and of nothing else. */
import { expect } from "expect";
import schema from "../../record.schema.json" with { type: "json" };
import { schemaProblem } from "../../tools/records/read.ts";
import { RECORD_FORMAT } from "../../tools/report/record.ts";
import { RECORD } from "../report/record.ts";
import { EVERY_MERGED, EVERY_RUN, EVERY_UNSTARTED } from "./every_field.ts";

const EVERY = { EVERY_RUN, EVERY_UNSTARTED, EVERY_MERGED };

for (const [name, record] of Object.entries(EVERY)) {
  Deno.test(`a record with every field is valid: ${name}`, async () => {
    expect(await schemaProblem(record)).toBeUndefined();
  });
}

Deno.test("a record with no field that can be absent is valid", async () => {
  expect(await schemaProblem(RECORD)).toBeUndefined();
});

/** The value with one field more, in every object of it whose names are not data, one at a time. */
function* withStrangers(value: unknown, path = ""): Generator<[path: string, value: unknown]> {
  if (typeof value !== "object" || value === null) return;
  const isData = /\.(texts|rules|limits)$/.test(path);
  if (!Array.isArray(value) && !isData) yield [path, { ...value, stranger: 1 }];
  for (const [name, inner] of Object.entries(value)) {
    for (const [at, changed] of withStrangers(inner, `${path}.${name}`)) {
      yield [
        at,
        Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
      ];
    }
  }
}

for (const [name, record] of Object.entries(EVERY)) {
  Deno.test(`a field that the schema does not know is found, wherever it is: ${name}`, async () => {
    const changed = [...withStrangers(record)];
    expect(changed.length).toBeGreaterThan(2);
    for (const [path, value] of changed) {
      expect([path, await schemaProblem(value)]).toEqual([path, expect.any(String)]);
    }
  });
}

/** Every field that the schema names, as `kind.field` or `$defs name.field`. */
function fieldsOf(node: unknown, path: string): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { properties, oneOf, ...rest } = node as {
    properties?: Record<string, unknown>;
    oneOf?: unknown[];
  };
  return [
    ...Object.entries(properties ?? {}).flatMap((
      [name, inner],
    ) => [`${path}.${name}`, ...fieldsOf(inner, `${path}.${name}`)]),
    ...(oneOf ?? []).flatMap((one) => fieldsOf(one, path)),
    ...fieldsOf((rest as { items?: unknown }).items, `${path}[]`),
  ];
}

Deno.test("the schema has no field that no record has", () => {
  const names = new Set<string>();
  JSON.stringify(EVERY, (name, value) => (names.add(name), value));
  const fields = Object.entries(schema.$defs).flatMap(([name, node]) => fieldsOf(node, name));
  expect(fields.length).toBeGreaterThan(80);
  expect(fields.filter((field) => !names.has(field.split(".").at(-1)!))).toEqual([]);
});

Deno.test("the schema is of the format that is written", () => {
  expect(schema.$id).toBe(`urn:samebits:record:${RECORD_FORMAT}`);
  expect(schema.$defs.run.properties.format.const).toBe(RECORD_FORMAT);
});

const DAMAGES: readonly [
  what: string,
  damage: (record: typeof EVERY_RUN) => unknown,
  says: RegExp,
][] = [
  ["no results", ({ results: _, ...rest }) => rest, /required property 'results'/],
  ["a word too large", (run) => {
    const text = JSON.stringify(run).replace('"expected":1065353216', '"expected":4294967296');
    return JSON.parse(text);
  }, /results\/1\/verdict\/mismatch\/first\/expected must be <= 4294967295/],
  ["null for absent", (run) => ({ ...run, stopped: null }), /stopped must be string/],
  ["another kind", (run) => ({ ...run, kind: "ran" }), /its kind is "ran"/],
  ["a part of a record", (run) => ({ ...run, kind: "result" }), /its kind is "result"/],
  ["a local time", (run) => ({ ...run, started: "2026-11-30T22:00:00" }), /started must match/],
];

for (const [what, damage, says] of DAMAGES) {
  Deno.test(`damage is named: ${what}`, async () => {
    expect(await schemaProblem(damage(EVERY_RUN))).toMatch(says);
  });
}
