/**
 * Simulated times: what machines do to samples, drawn from the seeded generator.
 *
 * @module
 */
import { mulberry32, type Random } from "../../cases/random.ts";

/** Gives the time of a sample taken in a round, for a work whose true time is 1. */
export type Machine = (uniform: () => number, round: number) => number;

/** Between 0 and 1, neither of them. */
export function uniformOf(random: Random): () => number {
  return () => (random() + 0.5) / 2 ** 32;
}

function gaussian(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const NOISE = 0.02;
const quiet: Machine = (uniform) => 1 + NOISE * gaussian(uniform);

/** Each with noise of 2 %, and what its name says. */
export const MACHINES: Readonly<Record<string, Machine>> = {
  quiet,
  // One sample in ten is interrupted, for up to a hundred times its own length.
  "heavy tails": (uniform, round) =>
    quiet(uniform, round) * (uniform() < 0.1 ? 1 / uniform() ** 0.7 : 1),
  // The clock falls by a third while it warms up, and swings.
  drift: (uniform, round) => quiet(uniform, round) * (1 + round / 120 + 0.2 * Math.sin(round / 9)),
  // Two clock rates, or two placements in a cache: half of all samples take 30 % longer.
  "two humps": (uniform, round) => quiet(uniform, round) * (uniform() < 0.5 ? 1.3 : 1),
};

/** Samples of works timed side by side; `factors` are their true times. */
export function simulate(
  machine: Machine,
  factors: readonly number[],
  rounds: number,
  seed: number,
) {
  const uniform = uniformOf(mulberry32(seed));
  const samples = factors.map(() => ({ round: [] as number[], ns: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    factors.forEach((factor, i) => {
      samples[i]!.round.push(round);
      samples[i]!.ns.push(1e5 * factor * machine(uniform, round));
    });
  }
  return samples;
}
