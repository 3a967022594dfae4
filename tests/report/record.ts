/**
 * A record to make reports from, with one check of every kind.
 *
 * @module
 */
import type { RunRecord } from "../../tools/report/record.ts";
import type { Result, Verdict } from "../../tools/runner/verdict.ts";

export const DIFFERING = {
  kind: "differ",
  mismatch: {
    words: 1280,
    differing: 658,
    unwritten: 3,
    overrun: 2,
    moving: { repeats: 4, words: 7 },
    largestUlp: 12345,
    rows: [2, 9],
    first: { row: 2, col: 1, expected: 0x3f800000, actual: 0x3f800001 },
    neighbours: [
      { row: 1, col: 1, expected: 0x80000000, actual: 0x80000000 },
      { row: 3, col: 1, expected: 0x7fc00000, actual: 0x7f800000 },
    ],
  },
} satisfies Verdict;

export const NOT_COMPILING: Verdict = {
  kind: "error",
  ran: false,
  message: "Q1_MM does not compile: expected expression",
  place: { file: "kernels/q1_mm.wgsl", line: 7, column: 3, source: "  oops" },
};

export const TILE = "q1_0_matmul/tile:rows=33,n=256,cols=5,seed=7";

export function result(kernel: string, verdict: Verdict, address = TILE): Result {
  return { check: { kernel, address, workgroup: 32 }, verdict };
}

/** Something in the place of a SHA-256, told apart by its name. */
export function digestOf(name: string): string {
  return new TextEncoder().encode(name).toHex().padEnd(64, "0").slice(0, 64);
}

export const RECORD: RunRecord = {
  format: 2,
  kind: "run",
  samebits: "0.0.0",
  deno: "2.9.6",
  started: "2026-11-30T22:00:00.000Z",
  seconds: 1.5,
  complete: true,
  tree: { commit: "0123456789abcdef0123456789abcdef01234567" },
  goldens: digestOf("goldens"),
  texts: { Q1_DOT: digestOf("dot"), Q1_MM: digestOf("mm"), Q1_MM4: digestOf("mm4") },
  plan: { digest: digestOf("plan"), checks: 6 },
  adapter: {
    vendor: "4318",
    architecture: "",
    device: "9019",
    description: "A card <& co>",
    software: false,
    subgroupMinSize: 32,
    subgroupMaxSize: 32,
    features: [],
    limits: {},
  },
  backend: "vulkan",
  options: ["--repeat 4"],
  planned: 6,
  repeats: 4,
  results: [
    result("Q1_DOT", { kind: "pass", words: 165 }),
    result("Q1_DOT", DIFFERING),
    result("Q1_MM", NOT_COMPILING),
    result("Q1_MM", NOT_COMPILING, "q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1"),
    result("Q1_MM4", { kind: "unsupported", reason: "needs 9 of a thing; the adapter offers 8" }),
  ],
  exitCode: 1,
};
