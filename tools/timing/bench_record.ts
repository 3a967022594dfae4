/**
 * The record of a bench: all that its reports are made from.
 *
 * @module
 */
import { median } from "statistics";
import type { BaselineEntry, HistoryEntry } from "./baseline.ts";
import type { Comparison } from "./decide.ts";
import type { Environment } from "./key.ts";
import type { Target } from "./protocol.ts";
import type { Untimed } from "./run.ts";
import {
  type CalibrationKind,
  compareSittings,
  distances,
  noiseOf,
  type Sitting,
  steadiest,
} from "./sittings.ts";

/** Grows when a reader of older records would misread a new one. */
export const BENCH_FORMAT = 1;

/** One kernel on one case, timed. */
export interface Timed {
  readonly target: Target;
  /** SHA-256 of the text. */
  readonly text: string;
  readonly bytes: number;
  readonly readBytes: number;
  readonly clock: string;
  readonly repeats: number;
  readonly sittings: readonly Sitting[];
}

/** The baseline of a target. */
export interface Before {
  /** SHA-256 of the text. */
  readonly text: string;
  readonly medianNs: number;
  /** This baseline last. */
  readonly history: readonly HistoryEntry[];
}

/** What a timed target came to. */
export interface BenchResult extends Timed {
  readonly medianNs: number;
  /** Of the bandwidth that the calibration read had in the same moments. */
  readonly share: number;
  /** Bytes of the run, over its time. */
  readonly bytesPerSecond: number;
  readonly calibration: CalibrationKind;
  /** Absent where there is no baseline of this target. */
  readonly before?: Before;
  readonly comparison?: Comparison;
}

export interface BenchRecord {
  readonly format: typeof BENCH_FORMAT;
  readonly samebits: string;
  /** ISO 8601. */
  readonly started: string;
  readonly seconds: number;
  readonly environment: Environment;
  /** What an empty kernel took, in nanoseconds. */
  readonly floorNs: number;
  /** A smoke run proves that the bench works; its times mean nothing. */
  readonly smoke: boolean;
  readonly results: readonly BenchResult[];
  readonly untimed: readonly Untimed[];
}

/** Holds what was timed against the baseline's entries, where there are any. */
export function benchResults(
  timed: readonly Timed[],
  entries: Readonly<Record<string, BaselineEntry>>,
  detect: number,
): BenchResult[] {
  const paired = timed.map((one) => {
    const entry = entries[one.target.id];
    // Times by another clock are other times.
    return { one, before: entry?.clock === one.clock ? entry : undefined };
  });
  const calibration = steadiest(
    paired.flatMap(({ one, before }) => [one.sittings, before?.sittings ?? []]),
  );
  const described = paired.map(({ one, before }) => ({
    one,
    before,
    own: [one.sittings, before?.sittings ?? []].flatMap((list) => distances(list, calibration)),
  }));
  const all = described.flatMap(({ own }) => own);
  return described.map(({ one, before, own }) => {
    const medianNs = median(one.sittings.flatMap(({ ns }) => ns));
    const readNs = median(one.sittings.flatMap(({ read }) => read));
    const bytesPerSecond = one.bytes / medianNs * 1e9;
    return {
      ...one,
      medianNs,
      bytesPerSecond,
      share: bytesPerSecond / (one.readBytes / readNs * 1e9),
      calibration,
      ...(before && {
        before: {
          text: before.text,
          medianNs: median(before.sittings.flatMap(({ ns }) => ns)),
          history: before.history,
        },
        comparison: compareSittings(
          before.sittings,
          one.sittings,
          calibration,
          noiseOf(own, all),
          detect,
        ),
      }),
    };
  });
}
