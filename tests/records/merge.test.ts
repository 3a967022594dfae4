/** What keeps records from being one proof is found, and told with its remedy. */
import { expect } from "expect";
import { joinRecords } from "../../tools/records/merge.ts";
import { schemaProblem, type Source } from "../../tools/records/read.ts";
import type { RunRecord, SavedRecord } from "../../tools/report/record.ts";
import { DIFFERING, digestOf, RECORD, result } from "../report/record.ts";
import { EVERY_UNSTARTED } from "./every_field.ts";

const OF = 3;

/** A shard that passed: two checks of the six of its plan. */
function shard(index: number, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    ...RECORD,
    plan: { digest: digestOf("plan"), checks: 6, shard: shardOf(index) },
    planned: 2,
    results: [0, 1].map((i) =>
      result(
        "Q1_MM",
        { kind: "pass", words: 5 },
        `q1_0_matmul/tile:rows=1,n=128,cols=1,seed=${index}${i}`,
      )
    ),
    exitCode: 0,
    ...changes,
  };
}

const shardOf = (index: number, durations = "durations") => ({
  index,
  of: OF,
  durations: digestOf(durations),
});

const SHARDS = [1, 2, 3].map((index) => shard(index));

function named(records: readonly SavedRecord[]): Source[] {
  return records.map((record, i) => ({ file: `${i + 1}.json`, record }));
}

const joined = (records: readonly SavedRecord[], expected: readonly string[] = []) =>
  joinRecords(named(records), [], expected);

Deno.test("the shards of a plan are one proof", () => {
  expect(joined(SHARDS, ["a CARD", "hardware"])).toEqual({
    runs: SHARDS,
    problems: [],
    exitCode: 0,
  });
});

const ELSEWHERE = { adapter: { ...RECORD.adapter, description: "Voodoo" } };

Deno.test("each adapter has its own shards", () => {
  const whole = shard(1, {
    ...ELSEWHERE,
    plan: { digest: digestOf("plan"), checks: 6 },
    planned: 6,
    results: SHARDS.flatMap(({ results }) => results),
  });
  expect(joined([...SHARDS, whole], ["card", "voodoo"])).toMatchObject({
    problems: [],
    exitCode: 0,
  });
});

/** Records that are no proof, the one problem that is told, and the exit code. */
const BROKEN: readonly [
  what: string,
  records: readonly SavedRecord[],
  says: RegExp,
  exitCode?: number,
][] = [
  ["a shard is missing", SHARDS.toSpliced(1, 1), /A card.*: shard 2\/3 is missing.*Run it/],
  ["two shards are missing", SHARDS.slice(2), /shards 1\/3, 2\/3 are missing.*Run them/],
  [
    "a shard is there twice",
    [...SHARDS, shard(2)],
    /shard 2\/3 was run more than once \(2\.json, 4\.json\)\. Keep/,
  ],
  [
    "shards of two cuts",
    [...SHARDS, shard(1, { plan: { ...SHARDS[0]!.plan, shard: { ...shardOf(1), of: 2 } } })],
    /different numbers of parts: 3 parts \(1\.json, 2\.json, 3\.json\); 2 parts \(4\.json\)/,
  ],
  [
    "shards cut by different durations",
    [...SHARDS.slice(0, 2), shard(3, { plan: { ...SHARDS[2]!.plan, shard: shardOf(3, "other") } })],
    /cut by different durations.*the same --durations/,
  ],
  [
    "another commit",
    SHARDS.with(1, shard(2, { tree: { commit: "f".repeat(40) } })),
    /not of one commit: 01234567 \(1\.json, 3\.json\); ffffffff \(2\.json\)\. Run all of them on one/,
  ],
  [
    "other uncommitted changes",
    SHARDS.with(1, shard(2, { tree: { ...RECORD.tree!, changes: digestOf("x") } })),
    /not of one commit: 01234567 \(.*; 01234567 with changes 78000000 \(2\.json\)/,
  ],
  [
    "other goldens",
    SHARDS.with(2, shard(3, { goldens: digestOf("other") })),
    /not of one set of goldens: .*3\.json.*the same --golden/,
  ],
  [
    "another plan",
    SHARDS.with(2, shard(3, { plan: { ...SHARDS[2]!.plan, digest: digestOf("other") } })),
    /not of one plan: .*\(3\.json\)\. Give all of them the same addresses/,
  ],
  [
    "another text of a kernel",
    SHARDS.with(2, shard(3, { texts: { ...RECORD.texts, Q1_MM: digestOf("mine") } })),
    /not of one text of Q1_MM: .*\(3\.json\)\. Run all of them with the same --text/,
  ],
  [
    "another samebits",
    SHARDS.with(2, shard(3, { samebits: "9.0.0" })),
    /not of one samebits: 0\.0\.0 \(1\.json, 2\.json\); 9\.0\.0 \(3\.json\)/,
  ],
  [
    "a run that was killed",
    SHARDS.with(1, shard(2, { complete: false, results: [], exitCode: 1 })),
    /2\.json \(A card .*, shard 2\/3\): the run did not come to its end, 0 of 2 checks have a verdict\. It was killed/,
  ],
  [
    "a run whose adapter was lost",
    SHARDS.with(1, shard(2, { complete: false, stopped: "Cannot go on: it was lost." })),
    /2 of 2 checks have a verdict\. Cannot go on: it was lost\. Run it again\./,
  ],
  [
    "a run that was told to end early",
    SHARDS.with(1, shard(2, { results: SHARDS[1]!.results.slice(1) })),
    /only 1 of 2 checks have a verdict\. Run it again without --budget/,
  ],
  [
    "checks of another shard",
    SHARDS.with(1, shard(2, { results: SHARDS[0]!.results })),
    /6 checks were planned, and the runs have 6 verdicts on 4 checks/,
  ],
  [
    "an adapter that supports nothing",
    [
      ...SHARDS,
      shard(1, {
        ...ELSEWHERE,
        plan: { digest: digestOf("plan"), checks: 6 },
        planned: 6,
        results: SHARDS.flatMap(({ results }) => results)
          .map(({ check }) => ({ check, verdict: { kind: "unsupported", reason: "no" } })),
      }),
    ],
    /Voodoo: not one check passed, so nothing is proved/,
  ],
  [
    "a machine without an adapter",
    [...SHARDS, EVERY_UNSTARTED],
    /4\.json: no check ran \(adapter default, shard 2\/3\) \(exit 3\): Cannot run: .* Mend that/,
  ],
];

for (const [what, records, says] of BROKEN) {
  Deno.test(`no proof: ${what}`, async () => {
    for (const record of records) expect(await schemaProblem(record)).toBeUndefined();
    expect(joined(records)).toMatchObject({
      problems: [expect.stringMatching(says)],
      exitCode: 1,
    });
  });
}

Deno.test("a failing check fails the merge, and is no problem of the records", () => {
  const failing = shard(2, { results: [result("Q1_MM", DIFFERING), SHARDS[1]!.results[0]!] });
  expect(joined(SHARDS.with(1, failing))).toMatchObject({ problems: [], exitCode: 1 });
});

Deno.test("an expected adapter that did not report is exit 3, and it says who did", () => {
  const { problems, exitCode } = joined(SHARDS, ["card", "Voodoo"]);
  expect(problems).toEqual([
    expect.stringMatching(/No adapter that answers to "Voodoo" reported, only A card .*--expect/),
  ]);
  expect(exitCode).toBe(3);
});

Deno.test("hardware is expected of hardware", () => {
  const software = SHARDS.map((run) => ({ ...run, adapter: { ...run.adapter, software: true } }));
  expect(joined(software, ["hardware"]).exitCode).toBe(3);
});

Deno.test("an adapter that has begun and not ended has not reported well", () => {
  const killed = shard(1, { ...ELSEWHERE, complete: false, results: [] });
  expect(joined([...SHARDS, killed], ["Voodoo"]).exitCode).toBe(1);
});

Deno.test("a file that cannot be used is a problem", () => {
  const state = "it is not JSON (Unexpected end)";
  const { problems, exitCode } = joinRecords(named(SHARDS), [{ file: "x.json", state }], []);
  expect(problems).toEqual([
    expect.stringMatching(/^x\.json cannot be used: it is not JSON .*\. Get it anew/),
  ]);
  expect(exitCode).toBe(1);
});

Deno.test("a merged record is merged as the runs that are in it", () => {
  const merged = {
    format: 2,
    kind: "merged",
    samebits: "0.0.0",
    merged: RECORD.started,
    expected: [],
    runs: SHARDS.slice(0, 2),
    problems: [],
    exitCode: 1,
  } as const;
  expect(joined([merged, SHARDS[2]!])).toMatchObject({ problems: [], exitCode: 0 });
});
