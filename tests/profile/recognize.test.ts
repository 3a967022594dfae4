/** Known adapters, changed ones, and stored profiles. */
import { expect } from "expect";
import { type Profile, profileOf, recognize } from "../../tools/profile/profile.ts";
import { profileFile, readProfile, storedProfiles } from "../../tools/profile/store.ts";
import { recognitionLines } from "../../tools/report/profile.ts";
import { samebits } from "../support/machine.ts";

const stored = storedProfiles();
const [some] = stored as [Profile];

async function withRules(rules: Profile["rules"]): Promise<Profile> {
  return await profileOf(some.adapter, rules, some.implementation);
}

Deno.test("there are known profiles, each with the hash and file of its rules", async () => {
  expect(stored.length).toBeGreaterThanOrEqual(2);
  for (const profile of stored) {
    const again = await profileOf(profile.adapter, profile.rules, profile.implementation);
    expect(again).toEqual(profile);
    expect(readProfile(profileFile(profile))).toEqual(profile);
  }
});

Deno.test("an adapter with the stored rules is known, in whatever order they stand", async () => {
  const turned = Object.fromEntries(Object.entries(some.rules).reverse());
  const profile = await withRules(turned);
  expect(profile.key).toBe(some.key);
  expect(recognize(profile, stored)).toEqual({ kind: "same" });
});

Deno.test("one changed rule changes the key, and is named", async () => {
  const profile = await withRules({ ...some.rules, fma: "another" });
  expect(profile.key).not.toBe(some.key);
  const known = recognize(profile, stored);
  expect(known).toMatchObject({
    kind: "changed",
    rules: [{ rule: "fma", before: some.rules.fma, now: "another" }],
  });
  expect(recognitionLines(profile, known).join("\n")).toContain(
    `fma: was ${some.rules.fma}, is another`,
  );
});

Deno.test("another adapter with the same rules is not known", async () => {
  const adapter = { ...some.adapter, description: "a card of tomorrow" };
  const profile = await profileOf(adapter, some.rules, some.implementation);
  expect(recognize(profile, stored)).toEqual({ kind: "unknown" });
});

Deno.test("a limit that differs changes the key: two drivers can carry one name", async () => {
  const limits = { ...some.adapter.limits, maxBindGroups: 99 };
  const profile = await profileOf({ ...some.adapter, limits }, some.rules, some.implementation);
  expect(profile.key).not.toBe(some.key);
});

Deno.test("a damaged profile is an error with a remedy", () => {
  const file = Deno.makeTempFileSync();
  for (const text of ["", "null", "{}", '{"format":1}']) {
    Deno.writeTextFileSync(file, text);
    expect(() => readProfile(new URL(`file://${file}`))).toThrow(/deno task profile --accept/);
  }
  Deno.removeSync(file);
});

Deno.test("the command prints each rule, and the gate names the profile before its checks", async () => {
  const { out } = await samebits(["profile"]);
  expect(out).toMatch(/^profile {2}\S+\.deno_/m);
  expect(out).toMatch(/^fma +\w+ +Does fma/m);
  const gate = await samebits(["gate", "*tile:rows=1,n=128,cols=1,*"]);
  expect(gate.out.indexOf("\nprofile  ")).toBeGreaterThan(0);
  expect(gate.out.indexOf("\nprofile  ")).toBeLessThan(gate.out.indexOf("checks ran"));
});

Deno.test("the command refuses what it cannot write, and adapters that are not there", async () => {
  const unwritable = await samebits(["profile", "--out", "/nowhere/at/all.json"]);
  expect(unwritable).toMatchObject({ code: 2 });
  expect(unwritable.err).toContain("Cannot write profile /nowhere/at/all.json");
  expect((await samebits(["profile", "--adapter", "nosuch"])).code).toBe(3);
});
