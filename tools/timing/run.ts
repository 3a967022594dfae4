/**
 * A run of several sittings, each in a process of its own.
 *
 * @module
 */
import { type AdapterWish, findAdapter, type FoundAdapter } from "../adapters/choose.ts";
import type { Verdict } from "../runner/verdict.ts";
import type { ClockKind } from "./clock.ts";
import { TimingProcess } from "./process.ts";
import type { Measurement, Measuring, Target } from "./protocol.ts";

export type TimingAdapter = FoundAdapter<TimingProcess>;

/** What every command that times says of its process. */
export interface TimingWish extends AdapterWish {
  readonly clock?: ClockKind;
  readonly limit: number;
}

/** Opens the adapter wished for in a process that times. */
export function openTiming(wish: TimingWish, goldenFolder: URL): Promise<TimingAdapter> {
  const { clock, limit } = wish;
  const work = { goldenFolder: goldenFolder.href, ...(clock && { clock }) };
  return findAdapter(
    wish,
    (assignment, env) => new TimingProcess({ assignment: { ...work, ...assignment }, env, limit }),
  );
}

/** A target that cannot be timed, and why. */
export interface Untimed {
  readonly target: Target;
  readonly verdict: Exclude<Verdict, { kind: "pass" }>;
}

/** What a sitting came to. */
export interface Sat {
  readonly measurement?: Measurement;
  readonly untimed: readonly Untimed[];
}

/** The part of a sitting that is proving, as far as a bar is concerned. */
const PROVING_PART = 0.15;

/** Proves the targets in the process, then times those that passed. */
export async function sit(
  process: TimingProcess,
  targets: readonly Target[],
  measuring: Measuring,
  progress: (done: number) => void,
): Promise<Sat> {
  const verdicts = await process.prove(targets, (done) => progress(PROVING_PART * done));
  const untimed = targets.flatMap((target, i): Untimed[] => {
    const verdict = verdicts[i]!;
    return verdict.kind === "pass" ? [] : [{ target, verdict }];
  });
  const failed = new Set(untimed.map(({ target }) => target.id));
  const ids = targets.map(({ id }) => id).filter((id) => !failed.has(id));
  if (ids.length === 0) return { untimed };
  const later = (done: number) => progress(PROVING_PART + (1 - PROVING_PART) * done);
  return { measurement: await process.measure(ids, measuring, later), untimed };
}
