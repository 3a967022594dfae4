/**
 * Work that can be timed, and what times it.
 *
 * @module
 */

/** Something that the GPU does, again and again. */
export interface Work {
  /** For messages. */
  readonly name: string;
  /** Records it `count` times, one after the other. */
  encode(pass: GPUComputePassEncoder, count: number): void;
}

/** One measurement: a work, `count` times in one pass. */
export interface Entry {
  readonly work: Work;
  readonly count: number;
}

/** Gives durations of entries. */
export interface Clock {
  readonly kind: ClockKind;
  /**
   * Durations of the entries in nanoseconds, in their order; each entry is timed by itself. One that
   * could not be told (below zero) is NaN.
   */
  measure(entries: readonly Entry[]): Promise<number[]>;
  /** What measuring costs beside the work, in nanoseconds, by measuring an empty one. */
  floor(empty: Work): Promise<number>;
  /** The shortest duration, in nanoseconds, that this clock tells well above a floor. */
  shortest(floor: number): number;
  /** Nanoseconds that go by while an entry of `ns` is measured once. */
  cost(ns: number, floor: number): number;
}

/** `timestamps`: the GPU's own; `slope`: the wall clock, from two counts. */
export type ClockKind = "timestamps" | "slope";
