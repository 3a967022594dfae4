/** Baseline files: kept whole, and refused where no verdict can rest on them. */
import { expect } from "expect";
import { pathToFileURL } from "node:url";
import {
  type Baseline,
  BASELINE_FORMAT,
  BaselineStore,
  succeed,
} from "../../tools/timing/baseline.ts";
import { profileOf } from "../../tools/profile/profile.ts";
import { environmentDifferences, environmentOf } from "../../tools/timing/key.ts";

/** An environment that differs from the usual one in some things. */
async function environment(
  adapter: object = {},
  implementation = "Deno 2.9.6",
  backend = "vulkan",
  rules = { fma: "fused" },
  processor = "a processor",
) {
  const profile = await profileOf({ ...ADAPTER, ...adapter }, rules, implementation);
  return environmentOf(profile, backend, processor);
}

const ADAPTER = {
  vendor: "4318",
  architecture: "",
  device: "9019",
  description: "NVIDIA H200",
  software: false,
  features: ["timestamp-query"],
  limits: { maxBufferSize: 1 << 30 },
};
const ENVIRONMENT = await environment();

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
  const path = await store.write(BASELINE);
  Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
  return await store.read(ENVIRONMENT.key).then(() => "none", (error: Error) => error.message);
}

Deno.test("a baseline comes back as it was stored", async () => {
  const folder = pathToFileURL(`${Deno.makeTempDirSync()}/`);
  const store = new BaselineStore(folder);
  const { key } = ENVIRONMENT;
  expect(await store.read(key)).toBeUndefined();
  await store.write(BASELINE);
  expect(await store.read(key)).toEqual(BASELINE);
  expect([...Deno.readDirSync(folder)].map(({ name }) => name)).toEqual([`${key}.json`]);
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
  const others = await Promise.all([
    environment({}, "Deno 2.9.7"),
    environment({}, "Deno 2.9.6", "gl"),
    environment({}, "Deno 2.9.6", "vulkan", { fma: "rounds twice" }),
    environment({ features: [] }),
    environment({ limits: { maxBufferSize: 1 << 29 } }),
    environment({ description: "NVIDIA H100" }),
    environment({ subgroupMaxSize: 32 }),
  ]);
  const keys = [ENVIRONMENT, ...others].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys[0]).toMatch(/^nvidia_h200\.[0-9a-f]{8}\.[0-9a-f]{8}\.deno_2_9_6\.vulkan$/);
  expect(environmentDifferences(ENVIRONMENT, ENVIRONMENT)).toEqual([]);
  for (const other of others) {
    expect(environmentDifferences(ENVIRONMENT, other).length).toBe(1);
  }
  expect(environmentDifferences(ENVIRONMENT, others[0]!)).toEqual([
    "WebGPU by: Deno 2.9.6 there, Deno 2.9.7 here",
  ]);
});

Deno.test("a software adapter's times are those of a processor, a card's are not", async () => {
  const on = (software: boolean, processor: string) =>
    environment({ software }, "Deno 2.9.6", "vulkan", { fma: "fused" }, processor);
  const [ours, other] = [await on(true, "AMD EPYC, 2 cores"), await on(true, "AMD EPYC, 4 cores")];
  expect(ours.key).toMatch(/\.vulkan\.amd_epyc_2_cores$/);
  expect(environmentDifferences(ours, other)).toEqual([
    "processor: AMD EPYC, 2 cores there, AMD EPYC, 4 cores here",
  ]);
  expect((await on(false, "AMD EPYC, 2 cores")).key).toBe((await on(false, "other")).key);
});

Deno.test("what other baselines are of is told", async () => {
  const store = new BaselineStore(pathToFileURL(`${Deno.makeTempDirSync()}/`));
  expect(await store.others(ENVIRONMENT)).toEqual([]);
  const old = await environment({}, "Deno 2.8.0");
  await store.write({ ...BASELINE, environment: old });
  expect(await store.others(ENVIRONMENT)).toEqual([
    `${old.key}.json: WebGPU by: Deno 2.8.0 there, Deno 2.9.6 here`,
  ]);
});

Deno.test("a baseline under another adapter's name is not used", async () => {
  const folder = pathToFileURL(`${Deno.makeTempDirSync()}/`);
  const store = new BaselineStore(folder);
  const path = await store.write(BASELINE);
  Deno.renameSync(path, new URL("another.json", folder));
  await expect(store.read("another")).rejects.toThrow(/it is of nvidia_h200.*name back/);
});

Deno.test("history keeps the last twenty", () => {
  const now = { accepted: "x", reason: "r", text: "t", medianNs: 1 };
  let entry = succeed(undefined, BASELINE.entries["Q1_MM 32 a"]!, now);
  expect(entry.history).toEqual([now]);
  for (let i = 0; i < 30; i++) entry = succeed(entry, entry, { ...now, medianNs: i });
  expect(entry.history.length).toBe(20);
  expect(entry.history.at(-1)!.medianNs).toBe(29);
});
