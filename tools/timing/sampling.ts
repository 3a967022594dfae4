/**
 * Timing many works at once: interleaved, with the calibration kernels between them.
 *
 * @module
 */
import { mulberry32 } from "../../cases/random.ts";
import type { Clock } from "./clock.ts";
import { type Budget, rounds, sampleCounts } from "./schedule.ts";
import type { Warm } from "./warm_up.ts";

/** Raw samples of one work: nanoseconds, one entry a sample in each list. */
export interface Samples {
  /** In which round it was taken: works timed side by side share it. */
  readonly round: number[];
  /** One run of the work. */
  readonly ns: number[];
  /** What the bandwidth read took in the same moments. */
  readonly read: number[];
  /** What the arithmetic kernel took in the same moments. */
  readonly arithmetic: number[];
}

/** The two kernels that say what the machine did meanwhile, and what measuring costs. */
export interface Calibration {
  readonly read: Warm;
  readonly arithmetic: Warm;
  /** Of the clock. */
  readonly floorNs: number;
}

/** Works are sent to the GPU in portions of this time, at least: a calibration stays near. */
const PORTION_NS = 50e6;
/** The calibration on both ends of a portion takes this part of the time, at most. */
const CALIBRATION_PART = 1 / 8;

/** The budget may be overdrawn by this factor, and for the least samples by the other one. */
const OVERTIME = 1.1;
const OVERTIME_FOR_LEAST = 2;

/**
 * Times all works within a budget.
 *
 * @param seed of the order
 * @param progress hears the part that is done, 0 to 1
 */
export async function sample(
  clock: Clock,
  works: readonly Warm[],
  calibration: Calibration,
  budget: Budget,
  seed: number,
  progress: (done: number) => void,
): Promise<Samples[]> {
  const { read, arithmetic, floorNs } = calibration;
  const cost = (ns: number) => clock.cost(ns, floorNs);
  const calibrationNs = 2 * (cost(read.ns) + cost(arithmetic.ns));
  const portion = Math.max(PORTION_NS, calibrationNs / CALIBRATION_PART);
  const forWorks = budget.ns * portion / (portion + calibrationNs);
  const counts = sampleCounts(works.map(({ ns }) => cost(ns)), { ...budget, ns: forWorks });
  const order = rounds(counts, budget.least, mulberry32(seed))
    .flatMap((members, round) => members.map((work) => ({ work, round })));
  const samples = works.map((): Samples => ({ round: [], ns: [], read: [], arithmetic: [] }));
  const begun = performance.now();
  // On a machine that others use too, a plan made in a quiet moment takes longer.
  const isOver = (round: number) => {
    if (round === 0 || budget.ns === 0) return false;
    const overtime = round < budget.least ? OVERTIME_FOR_LEAST : OVERTIME;
    return (performance.now() - begun) * 1e6 > overtime * budget.ns;
  };
  for (let at = 0; at < order.length && !isOver(order[at]!.round);) {
    let until = at;
    for (let ns = 0; until < order.length && ns < portion; until++) {
      ns += cost(works[order[until]!.work]!.ns);
    }
    const taken = order.slice(at, until);
    const times = await clock.measure([
      read,
      arithmetic,
      ...taken.map(({ work }) => works[work]!),
      read,
      arithmetic,
    ]);
    keep(samples, works, taken, times, calibration);
    at = until;
    progress(at / order.length);
  }
  return samples;
}

/** Files a portion's times; a time that could not be told is left out. */
function keep(
  samples: readonly Samples[],
  works: readonly Warm[],
  taken: readonly { work: number; round: number }[],
  times: readonly number[],
  { read, arithmetic }: Calibration,
): void {
  const readNs = mean(times[0]!, times.at(-2)!) / read.count;
  const arithmeticNs = mean(times[1]!, times.at(-1)!) / arithmetic.count;
  if (!(readNs > 0 && arithmeticNs > 0)) return;
  taken.forEach(({ work, round }, i) => {
    const ns = times[i + 2]! / works[work]!.count;
    if (!(ns > 0)) return;
    const list = samples[work]!;
    list.round.push(round);
    list.ns.push(ns);
    list.read.push(readNs);
    list.arithmetic.push(arithmeticNs);
  });
}

function mean(a: number, b: number): number {
  return (a + b) / 2;
}
