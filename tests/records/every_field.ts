/**
 * Records with every field there can be. A field that is added to a type is missing here until it
 * is added here too, which the type check sees; and then the schema has to know it.
 *
 * @module
 */
import type {
  MergedRecord,
  RecordedDiagnosis,
  RunRecord,
  UnstartedRecord,
} from "../../tools/report/record.ts";
import type { ComparedWord, Mismatch, Result, Verdict } from "../../tools/runner/verdict.ts";
import { digestOf, TILE } from "../report/record.ts";

/** The type with no field optional, at any depth. */
type Every<T> = T extends readonly (infer One)[] ? readonly Every<One>[]
  : T extends object ? { readonly [Name in keyof T]-?: Every<T[Name]> }
  : T;

const CHECK: Every<Result["check"]> = { kernel: "Q1_MM", address: TILE, workgroup: 32 };
const WORD: Every<ComparedWord> = { row: 2, col: 1, expected: 0x3f800000, actual: 0xffffffff };
const PLACE = { file: "kernels/q1_mm.wgsl", line: 7, column: 3, source: "  oops" };
const MISMATCH: Every<Mismatch> = {
  words: 1280,
  integers: true,
  part: { name: "softmax 1", at: 7, words: "f32" },
  differing: 658,
  unwritten: 3,
  overrun: 2,
  moving: { repeats: 4, words: 7 },
  rows: [2, 9],
  first: WORD,
  neighbours: [{ ...WORD, row: 1 }, { ...WORD, row: 3 }],
  strip: { first: 512, count: 256, strips: 594, differing: 3 },
  largestUlp: 12345,
  share: 1.5,
  differences: {
    rows: 256,
    cols: 5,
    map: ["0900", "0180"],
    distances: [600, 50],
    unordered: 5,
    bits: Array.from({ length: 32 }, (_, i) => i),
  },
};

/** Every kind of verdict. */
const VERDICTS: { readonly [Kind in Verdict["kind"]]: Every<Extract<Verdict, { kind: Kind }>> } = {
  pass: { kind: "pass", words: 165, share: 0.25 },
  differ: { kind: "differ", mismatch: MISMATCH },
  error: { kind: "error", ran: true, message: "It broke.", place: PLACE },
  unsupported: { kind: "unsupported", reason: "needs 9 of a thing; the adapter offers 8" },
};

const DIAGNOSIS: Every<RecordedDiagnosis> = {
  check: CHECK,
  blame: "kernel",
  cause: "lanes are summed in another order",
  isComplete: true,
  lines: ["blame    kernel", "cause    lanes are summed in another order"],
  place: PLACE,
};

const HEAD = {
  format: 2,
  samebits: "0.1.0",
  deno: "2.9.6",
  started: "2026-11-30T22:00:00.000Z",
  tree: { commit: "0123456789abcdef0123456789abcdef01234567", changes: digestOf("changes") },
} as const;

const ADAPTER: Every<RunRecord["adapter"]> = {
  vendor: "4318",
  architecture: "",
  device: "9019",
  description: "A card",
  software: false,
  subgroupMinSize: 32,
  subgroupMaxSize: 32,
  features: ["shader-f16"],
  limits: { maxBindGroups: 8 },
};

export const EVERY_RUN: Every<RunRecord> = {
  ...HEAD,
  kind: "run",
  seconds: 1.5,
  complete: false,
  stopped: "The adapter was lost.",
  goldens: digestOf("goldens"),
  texts: { Q1_MM: digestOf("text") },
  plan: {
    digest: digestOf("plan"),
    checks: 9,
    shard: { index: 2, of: 3, durations: digestOf("durations") },
  },
  adapter: ADAPTER,
  backend: "vulkan",
  driverFile: "/usr/share/vulkan/icd.d/x.json",
  profile: {
    key: "a_card.00000000.11111111.deno_2_9_6",
    hash: "11111111",
    rules: { fma: "fused" },
  },
  options: ["--repeat 4"],
  planned: 5,
  repeats: 4,
  results: Object.values(VERDICTS).map((verdict) => ({ check: CHECK, verdict, seconds: 0.25 })),
  diagnoses: [DIAGNOSIS],
  exitCode: 1,
};

export const EVERY_UNSTARTED: Every<UnstartedRecord> = {
  ...HEAD,
  kind: "unstarted",
  adapterAsked: "default",
  shard: { index: 2, of: 3 },
  reason: "Cannot run: WebGPU finds no adapter.",
  exitCode: 3,
};

export const EVERY_MERGED: Every<MergedRecord> = {
  format: 2,
  kind: "merged",
  samebits: "0.1.0",
  merged: "2026-11-30T22:00:00.000Z",
  expected: ["hardware"],
  runs: [EVERY_RUN],
  problems: ["A card: shard 1/3 is missing."],
  exitCode: 1,
};
