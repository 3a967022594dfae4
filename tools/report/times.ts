/**
 * Times, rates and changes for people.
 *
 * @module
 */
import type { Comparison, TimingVerdict } from "../timing/decide.ts";
import type { Interval } from "../timing/ranks.ts";
import { thousands } from "./numbers.ts";

const UNITS: readonly [least: number, name: string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [0, "ns"],
];

/** A duration with three digits and its unit. */
export function nsText(ns: number): string {
  const [size, unit] = UNITS.find(([least]) => ns >= least) ?? [0, "ns"];
  return `${threeDigits(ns / (size || 1))} ${unit}`;
}

/** `4,290 GB/s`, of 10^9 bytes. */
export function rateText(bytesPerSecond: number): string {
  return `${threeDigits(bytesPerSecond / 1e9)} GB/s`;
}

/** `12.3 %`. */
export function percentText(part: number): string {
  return `${threeDigits(part * 100)} %`;
}

/** A ratio as a change: `+5.2 %`. */
export function changeText(ratio: number): string {
  const change = (ratio - 1) * 100;
  if (!Number.isFinite(change)) return "?";
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(1)} %`;
}

/** A change between its bounds: `+5.2 % (+4.1 to +6.3)`. */
export function intervalText({ low, estimate, high }: Interval): string {
  if (!Number.isFinite(high)) return `${changeText(estimate)} (too few samples for bounds)`;
  const bound = (ratio: number) => changeText(ratio).replace(" %", "");
  return `${changeText(estimate)} (${bound(low)} to ${bound(high)})`;
}

/** A verdict in words; where nothing can be told, with what it would take. */
export function verdictText({ verdict, noise, samples, detect }: Comparison): string {
  if (verdict.kind !== "inconclusive") return verdict.kind;
  return `inconclusive: ${inconclusiveText(verdict, noise, samples, detect)}`;
}

function inconclusiveText(
  { moreSamples }: Extract<TimingVerdict, { kind: "inconclusive" }>,
  noise: number,
  samples: number,
  detect: number,
): string {
  if (moreSamples === undefined) {
    return `equal texts differ by up to ${
      percentText(noise)
    } here, so no number of samples tells ` +
      `${percentText(detect)}`;
  }
  const more = Math.max(1, Math.ceil(samples * (moreSamples - 1)));
  return `about ${thousands(more)} more samples would tell (${thousands(samples)} now)`;
}

/** A number with three digits. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (Math.abs(value) >= 100) return thousands(Math.round(value));
  return value.toPrecision(3).replace(/e.*$/, (exponent) => ` ${exponent}`);
}
