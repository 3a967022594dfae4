/**
 * The record of a roofline: all that its reports are made from.
 *
 * @module
 */
import { median } from "statistics";
import { caseAt } from "../../cases/mod.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { BandwidthPoint } from "./bandwidth.ts";
import type { ClockKind } from "./clock.ts";
import type { ModelCeiling } from "./models.ts";
import { ARITHMETIC_RUN } from "./programs.ts";
import type { Measurement, Target } from "./protocol.ts";
import type { Untimed } from "./run.ts";

/** Grows when a reader of older records would misread a new one. */
export const ROOFLINE_FORMAT = 1;

/** A kernel on a case under the roofline. */
export interface KernelPoint {
  readonly kernel: string;
  readonly address: string;
  readonly workgroup: number;
  readonly bytes: number;
  /** Two for each weight product. */
  readonly operations: number;
  readonly ns: number;
  readonly bytesPerSecond: number;
  /** Of the bandwidth. */
  readonly share: number;
}

export interface RooflineRecord {
  readonly format: typeof ROOFLINE_FORMAT;
  readonly samebits: string;
  readonly deno: string;
  /** ISO 8601. */
  readonly started: string;
  readonly adapter: AdapterDescription;
  readonly backend: string;
  readonly clock: ClockKind;
  readonly points: readonly BandwidthPoint[];
  /** Bytes a second, by the best pass. */
  readonly bandwidth: number;
  /** The same by one wall-clock span around all passes, which the runtime's waiting stands in. */
  readonly naive: number;
  /** Operations a second of the arithmetic kernel. */
  readonly arithmetic: number;
  readonly kernels: readonly KernelPoint[];
  readonly untimed: readonly Untimed[];
  /** Tokens a second. */
  readonly target: number;
  readonly models: readonly ModelCeiling[];
}

const MIB = 1 << 20;
/** The smallest buffer worth reading: past most caches. */
const SMALLEST = 256 * MIB;
/** Past the largest last-level cache several times over (96 MB). */
export const PAST_CACHES = 512 * MIB;

/** Buffer sizes to read: doubling from 256 MiB, and the largest; only that where it is smaller. */
export function bandwidthSizes({ limits }: AdapterDescription): number[] {
  const { maxStorageBufferBindingSize = 0, maxBufferSize = 0 } = limits;
  // Whole vec4<u32>.
  const largest = Math.floor(Math.min(maxStorageBufferBindingSize, maxBufferSize) / 16) * 16;
  const sizes: number[] = [];
  // A size that all but reaches the largest would say the same again.
  for (let size = SMALLEST; size < largest * 0.9; size *= 2) sizes.push(size);
  return [...sizes, largest];
}

/** The best rate among the buffers past the caches; where there are none, of the largest. */
export function bestBandwidth(points: readonly BandwidthPoint[]): BandwidthPoint {
  const largest = Math.max(...points.map(({ bytes }) => bytes));
  const trusted = points.filter(({ bytes }) => bytes >= Math.min(PAST_CACHES, largest));
  return trusted.reduce((best, one) => one.bytes / one.ns > best.bytes / best.ns ? one : best);
}

/** Operations a second that the arithmetic kernel reached while a measurement was made. */
export function arithmeticRate({ targets }: Measurement): number {
  return ARITHMETIC_RUN / median(targets.flatMap(({ samples }) => samples.arithmetic)) * 1e9;
}

/** @param bandwidth bytes a second */
export function kernelPoints(
  targets: readonly Target[],
  measurement: Measurement,
  bandwidth: number,
): KernelPoint[] {
  return measurement.targets.map(({ id, bytes, samples }) => {
    const { kernel, address, workgroup } = targets.find((target) => target.id === id)!;
    const { family, parsed } = caseAt(address);
    const ns = median(samples.ns);
    const bytesPerSecond = bytes / ns * 1e9;
    return {
      kernel,
      address,
      workgroup,
      bytes,
      operations: 2 * family.cost(parsed),
      ns,
      bytesPerSecond,
      share: bytesPerSecond / bandwidth,
    };
  });
}
