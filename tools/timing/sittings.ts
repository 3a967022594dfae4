/**
 * Comparing with times of another day. A sitting is one process with a device and buffers of its
 * own; a run makes several. Samples of one sitting lie closer together than those of two, so that
 * the sittings, and not the samples, say how noisy this adapter is.
 *
 * @module
 */
import { median, quantile } from "statistics";
import { compare, type Comparison, INTERVAL_ERROR } from "./decide.ts";
import { rankSumInterval } from "./ranks.ts";
import type { Samples } from "./sampling.ts";

/** What is kept of a sitting. */
export type Sitting = Pick<Samples, "ns" | "read" | "arithmetic">;

/** Which calibration kernel a work is held against: the one whose resource it uses up. */
export type CalibrationKind = "read" | "arithmetic";

/** Above this share of the bandwidth, memory is what a kernel waits for. */
const MEMORY_BOUND = 0.5;

/** The calibration for a work that moves so many bytes. */
export function calibrationFor(
  sittings: readonly Sitting[],
  bytes: number,
  readBytes: number,
): CalibrationKind {
  const ns = sittings.flatMap((one) => one.ns);
  const read = sittings.flatMap((one) => one.read);
  const share = (bytes / median(ns)) / (readBytes / median(read));
  return share > MEMORY_BOUND ? "read" : "arithmetic";
}

/** Logarithms of the samples as ratios to the calibration kernel beside them. */
export function calibrated(sitting: Sitting, kind: CalibrationKind): number[] {
  return sitting.ns.map((ns, i) => Math.log(ns / sitting[kind][i]!));
}

/** How far apart the medians of sittings of the same text lie, each with each. */
export function distances(sittings: readonly Sitting[], kind: CalibrationKind): number[] {
  const medians = sittings.filter(({ ns }) => ns.length > 0)
    .map((one) => median(calibrated(one, kind)));
  return medians.flatMap((a, i) => medians.slice(i + 1).map((b) => Math.abs(a - b)));
}

/** Of the distances of all works, the part that is below the noise. */
const NOISE_QUANTILE = 0.95;

/**
 * The noise of a work: the largest distance it showed itself, and what nearly all works of the run
 * stayed below, since three sittings may lie close together by chance.
 *
 * @param own distances of this work's sittings, before and now
 * @param all those of every work
 */
export function noiseOf(own: readonly number[], all: readonly number[]): number {
  return Math.max(0, ...own, all.length > 0 ? quantile([...all], NOISE_QUANTILE) : 0);
}

/** Compares the sittings of today with those of a baseline. */
export function compareSittings(
  before: readonly Sitting[],
  now: readonly Sitting[],
  kind: CalibrationKind,
  noise: number,
  detect: number,
): Comparison {
  const values = (sittings: readonly Sitting[]) => sittings.flatMap((one) => calibrated(one, kind));
  const [old, fresh] = [values(before), values(now)];
  const interval = rankSumInterval(old, fresh, INTERVAL_ERROR);
  return compare(interval, noise, detect, Math.min(old.length, fresh.length));
}
