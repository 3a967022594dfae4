/**
 * The sittings of a bench: the same targets, proved and timed in several processes.
 *
 * @module
 */
import { KERNELS } from "../../kernels/mod.ts";
import type { Timed } from "./bench_record.ts";
import type { Measurement, Measuring, Target } from "./protocol.ts";
import { type Sat, sit, type TimingAdapter, type Untimed } from "./run.ts";
import { sha256Hex } from "./sha256.ts";
import type { Samples } from "./sampling.ts";
import type { Sitting } from "./sittings.ts";

/** Two would tell of the noise between them by one number; each costs proofs and warm-up anew. */
const SITTINGS = 3;
/** Samples of a target in a sitting: below, the least can tell nothing; above, more tell no more. */
const LEAST_SAMPLES = 5;
const MOST_SAMPLES = 200;

export interface SittingRun {
  /** The first sitting's process; it is closed when done. */
  readonly first: TimingAdapter;
  /** Opens the process of every further sitting. */
  readonly open: () => Promise<TimingAdapter>;
  readonly targets: readonly Target[];
  /** Seconds for all sittings. */
  readonly budget: number;
  readonly smoke: boolean;
  readonly progress: (done: number) => void;
}

export interface Measured {
  readonly timed: readonly Timed[];
  readonly untimed: readonly Untimed[];
  readonly floorNs: number;
}

export async function timeSittings(
  { first, open, targets, budget, smoke, progress }: SittingRun,
): Promise<Measured> {
  const count = smoke ? 1 : SITTINGS;
  const sat: Sat[] = [];
  for (let i = 0; i < count; i++) {
    const { executor } = i === 0 ? first : await open();
    const common = { together: false, seed: i };
    const measuring: Measuring = smoke
      ? { ...common, seconds: 0, least: 1, most: 1, thorough: false }
      : {
        ...common,
        seconds: budget / count,
        least: LEAST_SAMPLES,
        most: MOST_SAMPLES,
        thorough: true,
      };
    try {
      sat.push(await sit(executor, targets, measuring, (done) => progress((i + done) / count)));
    } finally {
      executor.close();
    }
    if (!sat[i]!.measurement) break; // nothing can be timed, and a further sitting would say the same
  }
  return await join(targets, sat);
}

/** A target counts as timed where every sitting timed it. */
async function join(targets: readonly Target[], sat: readonly Sat[]): Promise<Measured> {
  const untimed = new Map(
    sat.flatMap((one) => one.untimed).map((one) => [one.target.id, one]),
  );
  const measurements = sat.flatMap(({ measurement }) => measurement ? [measurement] : []);
  const timed = targets.filter(({ id }) => !untimed.has(id))
    .map((target) => timedOf(target, measurements));
  return {
    timed: await Promise.all(timed),
    untimed: [...untimed.values()],
    floorNs: Math.min(...measurements.map(({ floorNs }) => floorNs)),
  };
}

async function timedOf(target: Target, measurements: readonly Measurement[]): Promise<Timed> {
  const { text } = KERNELS.find(({ name }) => name === target.kernel)!;
  const parts = measurements.map(({ targets }) => targets.find(({ id }) => id === target.id)!);
  const [{ clock, readBytes }, { bytes, repeats }] = [measurements[0]!, parts[0]!];
  const sittings = parts.map(({ samples }) => keptOf(samples));
  return { target, text: await sha256Hex(text), bytes, readBytes, clock, repeats, sittings };
}

/** What is kept: whole nanoseconds, of works that take microseconds at least. */
function keptOf({ ns, read, arithmetic }: Samples): Sitting {
  const whole = (values: readonly number[]) => values.map(Math.round);
  return { ns: whole(ns), read: whole(read), arithmetic: whole(arithmetic) };
}
