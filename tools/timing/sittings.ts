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

/** The calibration kernels that a work can be held against. */
const CALIBRATIONS = ["arithmetic", "read"] as const;
export type CalibrationKind = typeof CALIBRATIONS[number];

/**
 * The calibration that works are held against: the one to which their ratio was the steadier from
 * sitting to sitting. Which it is depends on the machine: on two cores that others use too, ratios
 * to the read moved by 5 to 20 %, ratios to the arithmetic by 10 to 36 %, the times themselves by
 * 33 to 66 %.
 *
 * @param works the lists of sittings of each work; a list is of one text
 */
export function steadiest(works: readonly (readonly Sitting[])[]): CalibrationKind {
  const noise = (kind: CalibrationKind) => {
    const all = works.flatMap((sittings) => distances(sittings, kind));
    return noiseOf([], all);
  };
  return noise("read") < noise("arithmetic") ? "read" : "arithmetic";
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
