/**
 * Storing a bench's times as the baseline, and what is said where there is none.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { counted } from "../report/numbers.ts";
import { type Baseline, BASELINE_FORMAT, type BaselineStore, succeed } from "../timing/baseline.ts";
import type { BenchRecord } from "../timing/bench_record.ts";
import type { Environment } from "../timing/key.ts";
import { VERSION } from "../version.ts";

/** What there is instead of a baseline: others, and why they say nothing here. */
export async function noBaseline(store: BaselineStore, now: Environment): Promise<Failure> {
  const others = await store.others(now);
  return new Failure(
    EXIT.goldens,
    [
      `No verdicts: there is no baseline for this adapter and toolchain (${now.key}).`,
      ...others.map((line) => `  not comparable: ${line}`),
      'Record one, of texts that you trust: deno task bench --accept --reason "…"',
    ].join("\n"),
  );
}

/** Stores what a bench measured, in place of what is stored of the same targets. */
export async function acceptBaseline(
  store: BaselineStore,
  record: BenchRecord,
  before: Baseline | undefined,
  reason: string,
): Promise<void> {
  if (record.results.length === 0) return;
  const fresh = record.results.map((result) => {
    const { target: { id }, text, bytes, readBytes, clock, sittings, medianNs } = result;
    const now = { accepted: record.started, reason, text, medianNs };
    return [id, succeed(before?.entries[id], { text, bytes, readBytes, clock, sittings }, now)];
  });
  const path = await store.write({
    format: BASELINE_FORMAT,
    samebits: VERSION,
    environment: record.environment,
    entries: { ...before?.entries, ...Object.fromEntries(fresh) },
  });
  console.log(`Stored ${counted(fresh.length, "baseline")} in ${path}; look at: git diff --stat`);
}
