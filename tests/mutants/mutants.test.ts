/** Mutants, their names, and what their records must hold. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { KERNELS } from "../../kernels/mod.ts";
import type { ChildExecutor } from "../../tools/isolation/child_executor.ts";
import { coverOf } from "../../tools/mutants/cover.ts";
import { mutantsOf } from "../../tools/mutants/make.ts";
import { readProofs } from "../../tools/mutants/proofs.ts";
import {
  isKilled,
  joinRecords,
  kernelsOf,
  type MutantsRecord,
  recordOf,
  recordText,
} from "../../tools/mutants/record.ts";
import {
  brokenProofs,
  lost,
  percentages,
  scoresOf,
  unrecorded,
} from "../../tools/mutants/score.ts";
import { PROOF_FILE, storedRecords } from "../../tools/mutants/store.ts";
import { tryMutant } from "../../tools/mutants/trial.ts";
import { chooseKernels } from "../../tools/commands/mutants.ts";
import { leftOutLine, troubleLines } from "../../tools/report/mutants.ts";
import { readTwins } from "../../tools/texts/twins.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";
import { samebits } from "../support/machine.ts";
import { fromFileUrl } from "../support/paths.ts";

const all = KERNELS.flatMap((kernel) => mutantsOf(kernel));
const proofs = readProofs(PROOF_FILE);
const records = storedRecords();

Deno.test("at least 150 mutants, of every kind, each with a name and a text of its own", () => {
  expect(all.length).toBeGreaterThan(150);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ kernel, text }) => kernel + text)).size).toBe(all.length);
  const kinds = new Set(all.map(({ kind }) => kind));
  for (
    const kind of [
      "operator",
      "constant",
      "sign",
      "shift type",
      "select arms",
      "hide removed",
      "built fma replaced",
      "order of a sum",
      "bindings swapped",
      "index",
      "condition",
      "loop removed",
      "statement removed",
      "workgroup size",
    ]
  ) expect({ kind, is: kinds.has(kind) }).toEqual({ kind, is: true });
  expect(all.some(({ id }) => id.endsWith("main: workgroupBarrier(); -> nothing"))).toBe(true);
});

Deno.test("names do not move when another function changes", () => {
  const [kernel] = KERNELS;
  const longer = kernel!.text.replace(
    "fn is_finite",
    "fn other(a: u32) -> u32 {\n  return a;\n}\n\nfn is_finite",
  );
  const before = mutantsOf(kernel!).map(({ id }) => id);
  expect(mutantsOf({ name: kernel!.name, text: longer }).map(({ id }) => id)).toEqual(before);
});

Deno.test("records hold every mutant of the shipped texts, on two adapters at least", () => {
  const recorded = new Set(records.flatMap((record) => [...kernelsOf(record)]));
  // Of a newer kernel no record may be kept yet; where one is, it is whole.
  for (const kernel of ["Q1_DOT", "Q1_MM", "Q1_MM4"]) expect(recorded).toContain(kernel);
  for (const kernel of recorded) {
    expect(records.filter((record) => kernelsOf(record).has(kernel)).length)
      .toBeGreaterThanOrEqual(2);
  }
  for (const record of records) {
    const kernels = kernelsOf(record);
    const ids = all.filter(({ kernel }) => kernels.has(kernel)).map(({ id }) => id);
    expect(Object.keys(record.mutants).sort()).toEqual([...ids].sort());
  }
});

Deno.test("every mutant is killed on one adapter or proved equivalent, and no proof is refuted", () => {
  for (const record of records) {
    const others = records.filter((one) => one !== record);
    for (const score of scoresOf(record, others, proofs)) {
      expect(score.alive).toEqual([]);
      expect(percentages(score).together).toBe(100);
    }
    expect(brokenProofs(record, proofs)).toEqual([]);
  }
});

const record = (mutants: MutantsRecord["mutants"]): MutantsRecord => ({
  format: 1,
  adapter: "some",
  key: "some.key",
  workgroup: 64,
  cases: ["a", "b"],
  mutants,
});

Deno.test("a mutant that was noticed and is not any more is lost, and alive", () => {
  const before = record({ "K/f: a -> b": { fate: "differs", by: [0] } });
  const now = record({ "K/f: a -> b": { fate: "survives" } });
  expect(lost(before, now)).toEqual(["K/f: a -> b"]);
  expect(lost(before, before)).toEqual([]);
  expect(scoresOf(now, [], new Map())[0]!.alive).toEqual(["K/f: a -> b"]);
  expect(scoresOf(now, [before], new Map())[0]).toMatchObject({ alive: [], elsewhere: 1 });
});

Deno.test("a kernel of which no record is kept is named", () => {
  const now = record({
    "K/f: a -> b": { fate: "differs", by: [0] },
    "L/f: a -> b": { fate: "survives" },
  });
  expect(unrecorded(undefined, now)).toEqual(["K", "L"]);
  expect(unrecorded(record({ "K/g: a -> b": { fate: "survives" } }), now)).toEqual(["L"]);
  expect(troubleLines({ alive: [], lost: [], proofs: [], unrecorded: ["L"] })[0])
    .toMatch(/^No record of this adapter is kept yet for L:/);
});

Deno.test("a proof about a killed mutant, or about none, is refused", () => {
  const proof = { proof: "because", kernels: ["K"], mutants: [] };
  const now = record({ "K/f: a -> b": { fate: "differs", by: [0] } });
  expect(brokenProofs(now, new Map([["K/f: a -> b", proof]]))[0]).toMatch(/yet it is killed/);
  expect(brokenProofs(now, new Map([["K/g: a -> b", proof]]))[0]).toMatch(/no such mutant/);
  const folding = { ...proof, folding: true } as const;
  expect(brokenProofs(now, new Map([["K/f: a -> b", folding]]))).toEqual([]);
});

Deno.test("a record is read as it was written, with the smallest case first", () => {
  const mutant = { ...all[0]!, id: "K/f: a -> b" };
  const made = recordOf({ adapter: "some", key: "k", workgroup: 8 }, [
    { mutant, fate: { kind: "differs", by: ["small", "large"] } },
  ]);
  expect(JSON.parse(recordText(made))).toEqual(made);
  expect(made.cases[made.mutants["K/f: a -> b"]!.by![0]!]).toBe("small");
  expect(isKilled(made.mutants["K/f: a -> b"])).toBe(true);
});

Deno.test("a kernel that is run anew takes the place of its old fates; the others' stay", () => {
  const head = { adapter: "some", key: "k", workgroup: 8 };
  const named = (id: string, ...by: string[]) => ({
    mutant: { ...all[0]!, id },
    fate: by.length > 0 ? { kind: "differs" as const, by } : { kind: "survives" as const },
  });
  const before = recordOf(head, [named("K/f", "b"), named("K/g"), named("L/f", "c", "d")]);
  const now = recordOf(head, [named("K/f"), named("K/h", "a")]);
  const joined = joinRecords(before, now);
  expect(joined).toEqual(recordOf(head, [named("L/f", "c", "d"), named("K/f"), named("K/h", "a")]));
  // Another driver's fates do not stand beside them.
  expect(() => joinRecords({ ...before, key: "other" }, now)).toThrow(/leave out --kernel/);
  expect(joinRecords({ ...recordOf(head, [named("K/f", "b")]), key: "other" }, now)).toEqual(now);
});

Deno.test("the cover takes what kills the most for its cost, and leaves out what adds nothing", () => {
  const one = record({
    m1: { fate: "differs", by: [0, 1] },
    m2: { fate: "differs", by: [0, 1] },
    m3: { fate: "differs", by: [1] },
  });
  expect(coverOf([one], () => 1)).toEqual([{ address: "b", kills: 3 }]);
  expect(coverOf([one], (address) => address === "b" ? 100 : 1).map((c) => c.address))
    .toEqual(["a", "b"]);
});

Deno.test("a rung that breaks is run again with more time: a stall is no kill", async () => {
  const [mutant] = all as [typeof all[0]];
  const rung = [caseAt("q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1000")];
  const fates = (...outcomes: ("broken" | "pass")[]) => {
    const limits: (number | undefined)[] = [];
    const run: ChildExecutor["run"] = (checks, _, limit) => {
      limits.push(limit);
      const results = checks.map((check) => ({
        check,
        verdict: { kind: "pass", words: 1 } as const,
      }));
      return Promise.resolve(
        outcomes.shift() === "broken"
          ? { kind: "broken", message: "No end within 3 s.", fatal: true }
          : { kind: "results", results },
      );
    };
    return tryMutant({ run }, mutant, [rung], 64).then(({ kind }) => ({ kind, limits }));
  };
  expect(await fates("pass")).toEqual({ kind: "survives", limits: [3] });
  expect(await fates("broken", "pass")).toEqual({ kind: "survives", limits: [3, 12] });
  expect(await fates("broken", "broken")).toEqual({ kind: "breaks", limits: [3, 12] });
});

Deno.test("the command tries the mutants asked for, finds the killed and the living", async () => {
  const killed = await samebits(["mutants", "--jobs", "1", "Q1_MM/main: block < p.nb -> false"]);
  expect(killed.code).toBe(0);
  expect(killed.out).toMatch(/^Q1_MM +1 +1 +0 +0 +0 +100 %/m);
  const proved = await samebits([
    "mutants",
    "--jobs",
    "1",
    "Q1_MM/main: col < p.cols -> *<= p.cols",
  ]);
  expect(proved.out).toMatch(/^Q1_MM +1 +0 +1 /m);
});

Deno.test("where nothing is asked for, the kernels that the engine has are tried", () => {
  const names = (...given: Parameters<typeof chooseKernels>) =>
    chooseKernels(...given).map(({ name }) => name);
  const twins = readTwins(fromFileUrl("../../"));
  const engine = ENGINE_KERNELS.map(({ name }) => name);
  expect(names([], undefined, twins)).toEqual(engine);
  // A mutant's name, or a kernel's, may be any.
  expect(names(["RMS_NORM/*"], undefined, twins).length).toBe(KERNELS.length);
  expect(names([], ["rms_norm"], twins)).toEqual(["RMS_NORM"]);
  expect(names([], ["*"], twins).length).toBe(KERNELS.length);
  expect(leftOutLine(["RMS_NORM", "ARGMAX"]))
    .toMatch(/^Left out, .* not have them: RMS_NORM, ARGMAX\. --kernel NAME tries one\.$/);
});

Deno.test("the command refuses what makes no sense", async () => {
  expect(await samebits(["mutants", "nosuch"])).toMatchObject({ code: 5 });
  const part = await samebits(["mutants", "--accept", "Q1_MM/main: block < p.nb -> false"]);
  expect(part.code).toBe(2);
  expect(part.err).toContain("Cannot accept a part");
  expect((await samebits(["mutants", "--jobs", "0"])).code).toBe(2);
});
