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

/** A work that is warm: how often to repeat it, and what that takes. */
export interface Warm extends Entry {
  /** Nanoseconds of the whole entry. */
  readonly ns: number;
}

/**
 * Finds the repetitions and runs the work until it settles.
 *
 * @param floor of the clock; an entry must stand out of it
 * @param thorough false: one sample will do
 */
export async function warmUp(
  clock: Clock,
  work: Work,
  floor: number,
  thorough: boolean,
): Promise<Warm> {
  const shortest = clock.shortest(floor);
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
  const costOfSamples = () => SAMPLES * clock.cost(ns, floor);
  // A long run has warmed the machine for itself.
  if (!thorough || costOfSamples() > LONGEST_NS) return { ...entry, ns };
  let spent = 0;
  for (let before = NaN; spent < LONGEST_NS; before = ns) {
    ns = await typical(clock, entry, SAMPLES);
    spent += costOfSamples();
    if (Math.abs(ns - before) <= SETTLED * before) break;
  }
  return { ...entry, ns };
}

/**
 * What is compared round by round runs as often in each: what a pass itself costs falls out.
 */
export function sameCount(works: readonly Warm[]): Warm[] {
  const most = Math.max(...works.map(({ count }) => count));
  return works.map((one) => ({ ...one, count: most, ns: one.ns * most / one.count }));
}

async function typical(clock: Clock, entry: Entry, samples: number): Promise<number> {
  const times = await clock.measure(Array.from({ length: samples }, () => entry));
  const told = times.filter((ns) => ns > 0);
  return told.length > 0 ? median(told) : NaN;
}
