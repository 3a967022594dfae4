/**
 * Two texts side by side, of a kernel or of two kernels of a family: both proved, then timed in turn on one device, and the first
 * one twice, so that what equal texts differ by here is seen live.
 *
 * @module
 */
import { median } from "statistics";
import { compare, type Comparison } from "./decide.ts";
import { pairedInterval } from "./pairs.ts";
import type { TimingProcess } from "./process.ts";
import type { Measurement, Measuring, Target, Variant } from "./protocol.ts";
import { sit, type Untimed } from "./run.ts";
import type { Samples } from "./sampling.ts";
import { targetId } from "./targets.ts";

/** The three things that are timed on each case. */
export const SIDES = ["A", "A again", "B"] as const;
export type Side = typeof SIDES[number];

/** A text, and the kernel whose recipe runs it. */
export interface Contender extends Omit<Variant, "name"> {
  readonly kernel: string;
}

/** What is compared: of one family. */
export interface TextPair {
  readonly a: Contender;
  readonly b: Contender;
}

/** B against A on one case. */
export interface AbResult {
  /** Of A and of B. */
  readonly kernels: readonly [string, string];
  readonly address: string;
  /** Of A and of B. */
  readonly workgroups: readonly [number, number];
  readonly medianNs: Readonly<Record<Side, number>>;
  /** A again / A. */
  readonly same: Comparison;
  /** B / A. */
  readonly comparison: Comparison;
  readonly samples: Readonly<Record<Side, Samples>>;
}

export interface AbWork {
  readonly pair: TextPair;
  /** The size at which a kernel runs. */
  readonly workgroupOf: (kernel: string) => number;
  /** Cases that are timed. */
  readonly timed: readonly string[];
  /** Further cases on which both texts must give the right bits. */
  readonly proved: readonly string[];
  readonly measuring: Measuring;
  readonly detect: number;
}

export interface AbOutcome {
  readonly results: readonly AbResult[];
  readonly untimed: readonly Untimed[];
}

/** Where one of the texts gives wrong bits anywhere, nothing is timed. */
export async function compareTexts(
  process: TimingProcess,
  work: AbWork,
  progress: (done: number) => void,
): Promise<AbOutcome> {
  const { timed, proved, measuring } = work;
  const proofs = proved.flatMap((address) =>
    (["A", "B"] as const).map((side) => targetOf(work, address, side))
  );
  const wrong = await proveAll(process, proofs);
  if (wrong.length > 0) return { results: [], untimed: wrong };
  const results: AbResult[] = [];
  const untimed: Untimed[] = [];
  for (const [i, address] of timed.entries()) {
    const sides = SIDES.map((side) => targetOf(work, address, side));
    const share = { ...measuring, seconds: measuring.seconds / timed.length };
    const sat = await sit(process, sides, share, (done) => progress((i + done) / timed.length));
    untimed.push(...sat.untimed);
    if (sat.measurement && sat.untimed.length === 0) {
      results.push(resultOf(work, address, sat.measurement));
    }
  }
  return { results, untimed };
}

/** Targets of which the adapter supports none are no failure. */
async function proveAll(process: TimingProcess, targets: readonly Target[]): Promise<Untimed[]> {
  const verdicts = await process.prove(targets, () => {});
  return targets.flatMap((target, i): Untimed[] => {
    const verdict = verdicts[i]!;
    const isWrong = verdict.kind === "differ" || verdict.kind === "error";
    return isWrong ? [{ target, verdict }] : [];
  });
}

function targetOf({ pair, workgroupOf }: AbWork, address: string, side: Side): Target {
  const { kernel, file, text } = side === "B" ? pair.b : pair.a;
  const workgroup = workgroupOf(kernel);
  const variant: Variant = { file, text, name: side };
  const id = `${targetId({ kernel, workgroup, address })} ${side}`;
  return { id, kernel, address, workgroup, variant };
}

function resultOf(work: AbWork, address: string, measurement: Measurement): AbResult {
  const samplesOf = (side: Side) => {
    const { id } = targetOf(work, address, side);
    return measurement.targets.find((one) => one.id === id)!.samples;
  };
  const samples = { "A": samplesOf("A"), "A again": samplesOf("A again"), "B": samplesOf("B") };
  const kernels = [work.pair.a.kernel, work.pair.b.kernel] as const;
  return {
    kernels,
    address,
    workgroups: [work.workgroupOf(kernels[0]), work.workgroupOf(kernels[1])],
    medianNs: {
      "A": middle(samples.A),
      "A again": middle(samples["A again"]),
      "B": middle(samples.B),
    },
    ...comparisons(samples, work.detect),
    samples,
  };
}

/** B against A, beyond what A was from itself. */
export function comparisons(
  samples: Readonly<Record<Side, Pick<Samples, "round" | "ns">>>,
  detect: number,
): { same: Comparison; comparison: Comparison } {
  const same = pairedInterval(samples.A, samples["A again"]);
  const other = pairedInterval(samples.A, samples.B);
  return {
    same: compare(same, 0, detect, same.pairs),
    comparison: compare(other, Math.abs(same.estimate), detect, other.pairs),
  };
}

function middle({ ns }: Samples): number {
  return ns.length > 0 ? median(ns) : NaN;
}
