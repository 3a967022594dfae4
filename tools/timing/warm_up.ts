/**
 * Before anything is measured: how often each work must be repeated to stand out of the floor, and
 * running it until its times have settled.
 *
 * @module
 */
import { median } from "statistics";
import { EXIT, Failure } from "../exit_codes.ts";
import type { Clock, Entry, Work } from "./clock.ts";

/** Two medians of this many samples that differ by less than {@linkcode SETTLED}: settled. */
const SAMPLES = 3;
const SETTLED = 0.05;
/** Times that are still moving after this long will move on, and the statistics have to bear it. */
const LONGEST_NS = 0.3e9;
/** More repetitions than this take no time at all, or are not run. */
const MOST_REPEATS = 65_536;
const FLOOR_SAMPLES = 9;

/** What an empty kernel takes by this clock, in nanoseconds. */
export async function measureFloor(clock: Clock, empty: Work): Promise<number> {
  const entries = Array.from({ length: FLOOR_SAMPLES }, () => ({ work: empty, count: 1 }));
  const times = (await clock.measure(entries)).filter((ns) => ns > 0);
  return times.length > 0 ? median(times) : 0;
}

/** A work that is warm: how often to repeat it, and what that takes. */
export interface Warm extends Entry {
  /** Nanoseconds of the whole entry. */
  readonly ns: number;
}

/**
 * Finds the repetitions and runs the work until it settles.
 *
 * @param shortest nanoseconds that an entry must take at least
 * @param thorough false: one sample will do
 */
export async function warmUp(
  clock: Clock,
  work: Work,
  shortest: number,
  thorough: boolean,
): Promise<Warm> {
  let entry: Entry = { work, count: 1 };
  let ns = await typical(clock, entry, 1);
  while (!(ns >= shortest)) {
    // A time that could not be told yet says nothing but "more".
    const factor = ns > 0 ? Math.min(64, Math.ceil((1.2 * shortest) / ns)) : 8;
    entry = { work, count: entry.count * Math.max(2, factor) };
    if (entry.count > MOST_REPEATS) {
      throw new Failure(
        EXIT.differs,
        `Cannot time ${work.name}: ${MOST_REPEATS.toLocaleString("en-US")} runs of it take less ` +
          "time than the clock can tell. Time a larger case.",
      );
    }
    ns = await typical(clock, entry, 1);
  }
  // A long run has warmed the machine for itself.
  if (!thorough || SAMPLES * ns > LONGEST_NS) return { ...entry, ns };
  let spent = 0;
  for (let before = NaN; spent < LONGEST_NS; before = ns) {
    ns = await typical(clock, entry, SAMPLES);
    spent += SAMPLES * ns;
    if (Math.abs(ns - before) <= SETTLED * before) break;
  }
  return { ...entry, ns };
}

async function typical(clock: Clock, entry: Entry, samples: number): Promise<number> {
  const times = await clock.measure(Array.from({ length: samples }, () => entry));
  const told = times.filter((ns) => ns > 0);
  return told.length > 0 ? median(told) : NaN;
}
