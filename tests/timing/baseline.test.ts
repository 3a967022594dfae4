/** Baseline files: kept whole, and refused where no verdict can rest on them. */
import { expect } from "expect";
import { pathToFileURL } from "node:url";
import {
  type Baseline,
  BASELINE_FORMAT,
  BaselineStore,
  succeed,
} from "../../tools/timing/baseline.ts";
import {
  type Environment,
  environmentDifferences,
  environmentKey,
} from "../../tools/timing/key.ts";

const ENVIRONMENT: Environment = {
  adapter: {
    vendor: "4318",
    architecture: "",
    device: "9019",
    description: "NVIDIA H200",
    software: false,
    features: ["timestamp-query"],
    limits: { maxBufferSize: 1 << 30 },
  },
  backend: "vulkan",
  deno: "2.9.6",
};

const BASELINE: Baseline = {
  format: BASELINE_FORMAT,
  samebits: "0.1.0",
  environment: ENVIRONMENT,
  entries: {
    "Q1_MM 32 a": {
      text: "ab",
      bytes: 10,
      readBytes: 20,
      clock: "timestamps",
      sittings: [{ ns: [1000, 1100], read: [10, 11], arithmetic: [5, 6] }],
      history: [{ accepted: "2026-11-30", reason: "first", text: "ab", medianNs: 1050 }],
    },
  },
};

/** What reading says of a stored baseline that was changed by hand or otherwise. */
async function refusal(change: (text: string) => string): Promise<string> {
  const store = new BaselineStore(pathToFileURL(`${Deno.makeTempDirSync()}/`));
  const path = await store.write("key", BASELINE);
  Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
  return await store.read("key").then(() => "none", (error: Error) => error.message);
}

Deno.test("a baseline comes back as it was stored", async () => {
  const folder = pathToFileURL(`${Deno.makeTempDirSync()}/`);
  const store = new BaselineStore(folder);
  expect(await store.read("key")).toBeUndefined();
  await store.write("key", BASELINE);
  expect(await store.read("key")).toEqual(BASELINE);
  expect([...Deno.readDirSync(folder)].map(({ name }) => name)).toEqual(["key.json"]);
});

const REFUSED: readonly [name: string, change: (text: string) => string, message: RegExp][] = [
  ["a sample made shorter by hand", (t) => t.replace("1100", "1001"), /damaged or edited by hand/],
  ["a cut file", (t) => t.slice(0, 200), /not JSON .*git checkout -- golden\/timings/s],
  ["an empty file", () => "", /not JSON/],
  ["another file", () => "[]", /no baseline: it has no format/],
  ["nothing in it", () => "null", /no baseline/],
  ["a newer format", (t) => t.replace('"format": 1', '"format": 2'), /format 2.* Update samebits/],
  [
    "a merge conflict",
    (t) => `<<<<<<< ours\n${t}=======\n${t}>>>>>>> theirs\n`,
    /merge conflict.*--ours or --theirs/s,
  ],
];
for (const [name, change, message] of REFUSED) {
  Deno.test(`refused with a remedy: ${name}`, async () => {
    expect(await refusal(change)).toMatch(message);
  });
}

Deno.test("the same place in the file with other white space is the same baseline", async () => {
  expect(await refusal((text) => text.replaceAll("\n", "\r\n"))).toBe("none");
});

Deno.test("the key tells apart all that makes times incomparable", async () => {
  const { adapter } = ENVIRONMENT;
  const others: Environment[] = [
    { ...ENVIRONMENT, deno: "2.9.7" },
    { ...ENVIRONMENT, backend: "gl" },
    { ...ENVIRONMENT, profile: "fused" },
    { ...ENVIRONMENT, adapter: { ...adapter, features: [] } },
    { ...ENVIRONMENT, adapter: { ...adapter, limits: { maxBufferSize: 1 << 29 } } },
    { ...ENVIRONMENT, adapter: { ...adapter, description: "NVIDIA H100" } },
    { ...ENVIRONMENT, adapter: { ...adapter, subgroupMaxSize: 32 } },
  ];
  const keys = await Promise.all([ENVIRONMENT, ...others].map(environmentKey));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toMatch(/^nvidia-h200-vulkan-deno-2\.9\.6-[0-9a-f]{8}$/);
  expect(environmentDifferences(ENVIRONMENT, ENVIRONMENT)).toEqual([]);
  for (const other of others) {
    expect(environmentDifferences(ENVIRONMENT, other).length).toBe(1);
  }
  expect(environmentDifferences(ENVIRONMENT, others[0]!)).toEqual([
    "Deno: 2.9.6 there, 2.9.7 here",
  ]);
});

Deno.test("what other baselines are of is told", async () => {
  const store = new BaselineStore(pathToFileURL(`${Deno.makeTempDirSync()}/`));
  expect(await store.others(ENVIRONMENT)).toEqual([]);
  await store.write("old", { ...BASELINE, environment: { ...ENVIRONMENT, deno: "2.8.0" } });
  expect(await store.others(ENVIRONMENT)).toEqual(["old.json: Deno: 2.8.0 there, 2.9.6 here"]);
});

Deno.test("history keeps the last twenty", () => {
  const now = { accepted: "x", reason: "r", text: "t", medianNs: 1 };
  let entry = succeed(undefined, BASELINE.entries["Q1_MM 32 a"]!, now);
  expect(entry.history).toEqual([now]);
  for (let i = 0; i < 30; i++) entry = succeed(entry, entry, { ...now, medianNs: i });
  expect(entry.history.length).toBe(20);
  expect(entry.history.at(-1)!.medianNs).toBe(29);
});
