/**
 * Records to make pages from.
 *
 * @module
 */
import type { PageInput } from "../../tools/report/page/data.ts";
import type { RunRecord } from "../../tools/report/record.ts";
import { compareOutput } from "../../tools/runner/compare.ts";
import type { Result, Verdict } from "../../tools/runner/verdict.ts";
import { NOT_COMPILING, RECORD, result } from "./record.ts";

export const HOSTILE = "<script>globalThis.planted = 1</script>";

export function inputOf(...records: PageInput["records"]): PageInput {
  return { records, benches: [], baselines: [], rooflines: [], diagnoses: [] };
}

/** A mismatch as a fault makes one: some of the words wrong, by all kinds of distances. */
export function scattered(rows: number, cols: number, seed: number): Verdict {
  let state = seed;
  const next = () => state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 >>> 0;
  const expected = Uint32Array.from(
    { length: rows * cols },
    () => 0x3f800000 + (next() & 0x7fffff),
  );
  const wrong = expected.map((word) => next() % 2 ? word : word ^ (1 << (next() % 12)));
  wrong[0] = expected[0]! ^ 1;
  const mismatch = compareOutput(
    expected,
    { repeats: [wrong], overrun: 0 },
    { rows, cols },
    "f32",
  )!;
  return { kind: "differ", mismatch };
}

const KERNELS = ["Q1_DOT", "Q1_MM", "Q1_MM4"];

/** A run of so many checks, evenly on three kernels, of which so many differ. */
export function largeRecord(checks: number, failing: number, name = "A card"): RunRecord {
  const results: Result[] = Array.from({ length: checks }, (_, i) => {
    const [rows, cols] = [33 + i % 224, 1 + i % 17];
    const address = `q1_0_matmul/tile:rows=${rows},n=256,cols=${cols},seed=${Math.floor(i / 3)}`;
    const verdict: Verdict = i * failing % checks < failing
      ? scattered(rows, cols, i + 1)
      : { kind: "pass", words: rows * cols };
    return { ...result(KERNELS[i % 3]!, verdict, address), seconds: 0.001234 };
  });
  return {
    ...RECORD,
    adapter: { ...RECORD.adapter, description: name },
    options: [],
    planned: checks,
    repeats: 1,
    results,
  };
}

/** Two adapters, one of them with a hostile name, with profiles that differ, and a diagnosis. */
export function twoAdapters(): PageInput {
  const hostile = HOSTILE;
  const first = largeRecord(450, 6, hostile);
  const place = { file: `${hostile}.wgsl`, line: 3, column: 5, source: hostile };
  const run: RunRecord = {
    ...first,
    backend: hostile,
    options: [`--text 'Q1_MM=${hostile}'`],
    profile: { key: hostile, hash: hostile, rules: { fma: "fused", two_sum: hostile } },
    results: [
      ...first.results,
      result("Q1_MM", { ...NOT_COMPILING, message: hostile, place } as Verdict, `a/b:c=${hostile}`),
      result(hostile, { kind: "unsupported", reason: hostile }),
    ],
    planned: 452,
    texts: { ...RECORD.texts, [hostile]: "0".repeat(64) },
    diagnoses: [{
      check: first.results.find(({ verdict }) => verdict.kind === "differ")!.check,
      blame: hostile,
      cause: hostile,
      isComplete: true,
      lines: [hostile],
      place,
    }],
  };
  const second: RunRecord = {
    ...largeRecord(90, 0, "Another card"),
    profile: { key: "other", hash: "beef", rules: { fma: "rounds_twice", two_sum: hostile } },
    exitCode: 0,
  };
  return inputOf(run, second);
}
