/**
 * From an interval to a verdict.
 *
 * @module
 */
import type { Interval } from "./ranks.ts";

/** What a comparison of times came to. */
export type TimingVerdict =
  | { readonly kind: "faster" | "slower" | "no change" }
  /**
   * Samples would have to be so many times as many, as far as can be told; absent where the machine's
   * own noise hides what is looked for, and no number of samples would tell.
   */
  | { readonly kind: "inconclusive"; readonly moreSamples?: number };

/** One comparison: all ratios are after / before, so that above 1 is slower. */
export interface Comparison {
  /** The ratio with its interval. */
  readonly ratio: Interval;
  /** A ratio between 1 / (1 + noise) and 1 + noise is met between equal texts here. */
  readonly noise: number;
  /** The smallest change that was looked for. */
  readonly detect: number;
  readonly samples: number;
  readonly verdict: TimingVerdict;
}

/**
 * The interval's probability to miss the truth, both sides together. 24 kernels and shapes in 30
 * runs are 720 comparisons, of which none may be a false alarm: the noise has to be left behind too.
 */
export const INTERVAL_ERROR = 0.001;
/** No smaller difference is called one, however quiet the machine is: placement in memory does it. */
const LEAST_NOISE = 0.01;
/** What is looked for: where others use the processor too, small changes cannot be told. */
const DETECT = { hardware: 0.05, software: 0.2 } as const;
/** A request for more samples than this times as many is no help. */
const MOST_TIMES = 1000;

/** With fewer pairs than this the signed ranks have no bounds: 2 / 2^11 is below the error. */
export const LEAST_SAMPLES = 11;

export function detectable(software: boolean): number {
  return DETECT[software ? "software" : "hardware"];
}

/**
 * @param logRatio of logarithms: after − before
 * @param noise what two equal texts were apart, as a logarithm
 * @param detect the smallest change that matters, 0.05 for 5 %
 * @param samples behind the interval
 */
export function compare(
  logRatio: Interval,
  noise: number,
  detect: number,
  samples: number,
): Comparison {
  const margin = Math.max(Math.log1p(LEAST_NOISE), noise);
  const ratio = {
    low: Math.exp(logRatio.low),
    estimate: Math.exp(logRatio.estimate),
    high: Math.exp(logRatio.high),
  };
  return {
    ratio,
    noise: Math.expm1(margin),
    detect,
    samples,
    verdict: Number.isFinite(logRatio.high - logRatio.low)
      ? decide(logRatio, margin, Math.log1p(detect))
      : { kind: "inconclusive", moreSamples: LEAST_SAMPLES / Math.max(1, samples) },
  };
}

function decide(interval: Interval, margin: number, detect: number): TimingVerdict {
  const { low, estimate, high } = interval;
  if (low > margin) return { kind: "slower" };
  if (high < -margin) return { kind: "faster" };
  if (low >= -detect && high <= detect) return { kind: "no change" };
  // To be told, the interval must shrink to the nearer of the two: beyond the noise, or within what
  // is looked for. It shrinks with the root of the number of samples.
  const room = Math.max(Math.abs(estimate) - margin, detect - Math.abs(estimate));
  const halfWidth = Math.max(high - estimate, estimate - low);
  const times = (halfWidth / room) ** 2;
  if (!(room > 0 && times <= MOST_TIMES)) return { kind: "inconclusive" };
  return { kind: "inconclusive", moreSamples: Math.max(1.1, times) };
}
