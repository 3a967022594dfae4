/**
 * From checks to verdicts, come what may: every check gets one.
 *
 * @module
 */
import type { Executor, Outcome } from "./executor.ts";
import { planBatches, workOf } from "./plan.ts";
import type { Check, Result } from "./verdict.ts";

/**
 * A kernel that broke this many runs by itself is not run again: an endless loop would cost the
 * limit once for each of its checks.
 */
const FATAL_RUNS = 2;

/**
 * Runs checks in batches. A batch that breaks (device lost, process crashed, out of time, call
 * refused) is run again check by check, so that only the checks to blame lose their verdict.
 * Verdicts come in no promised order.
 *
 * @param repeats times that the executor runs each check, for the size of the batches
 */
export async function* runChecks(
  executor: Executor,
  checks: readonly Check[],
  repeats = 1,
): AsyncGenerator<Result> {
  const suspects = new Suspects();
  for (const batch of planBatches(checks, repeats)) {
    const trusted = batch.filter((check) => !suspects.has(check));
    for (const check of batch) if (suspects.has(check)) yield suspects.abandon(check);
    if (trusted.length > 1) {
      const { outcome, seconds } = await timed(executor, trusted);
      if (outcome.kind === "results") {
        yield* sharing(seconds, verdictsOf(trusted, outcome.results));
        continue;
      }
    }
    for (const check of trusted) yield await runAlone(executor, check, suspects);
  }
}

async function runAlone(executor: Executor, check: Check, suspects: Suspects): Promise<Result> {
  if (suspects.has(check)) return suspects.abandon(check);
  const { outcome, seconds } = await timed(executor, [check]);
  if (outcome.kind === "results") {
    return sharing(seconds, verdictsOf([check], outcome.results))[0]!;
  }
  if (outcome.fatal) suspects.add(check);
  return { check, verdict: { kind: "error", ran: true, message: outcome.message }, seconds };
}

async function timed(
  executor: Executor,
  batch: readonly Check[],
): Promise<{ outcome: Outcome; seconds: number }> {
  const begun = performance.now();
  const outcome = await executor.run(batch);
  return { outcome, seconds: microseconds((performance.now() - begun) / 1000) };
}

/** The results with a batch's time shared among those that ran, by their work. */
function sharing(seconds: number, results: readonly Result[]): Result[] {
  const works = results.map(({ check, verdict }) =>
    verdict.kind === "unsupported" || (verdict.kind === "error" && !verdict.ran)
      ? 0
      : workOf(check.address)
  );
  const all = works.reduce((sum, work) => sum + work, 0);
  return results.map((result, i) =>
    works[i] === 0 ? result : { ...result, seconds: microseconds(seconds * works[i]! / all) }
  );
}

/** Clocks of pages tell no more, and records stay short. */
function microseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/**
 * The results, once it is certain that they are those of the batch: one each, in its order.
 *
 * @throws {Error} where they are not, a defect of the executor
 */
function verdictsOf(batch: readonly Check[], results: readonly Result[]): readonly Result[] {
  const same = results.length === batch.length &&
    results.every(({ check }, i) => {
      const { kernel, address, workgroup } = batch[i]!;
      return check.kernel === kernel && check.address === address && check.workgroup === workgroup;
    });
  if (!same) throw new Error("an executor gave verdicts that are not those of its batch");
  return results;
}

/** Kernels that break whatever runs them. */
class Suspects {
  readonly #runs = new Map<string, number>();

  add(check: Check): void {
    this.#runs.set(keyOf(check), this.#count(check) + 1);
  }

  has(check: Check): boolean {
    return this.#count(check) >= FATAL_RUNS;
  }

  /** The verdict of a check that is not run any more. */
  abandon(check: Check): Result {
    const message = `Not run: ${check.kernel} at workgroup size ${check.workgroup} had already ` +
      `broken ${this.#count(check)} runs. Mend what those say first.`;
    return { check, verdict: { kind: "error", ran: false, message } };
  }

  #count(check: Check): number {
    return this.#runs.get(keyOf(check)) ?? 0;
  }
}

function keyOf({ kernel, workgroup }: Check): string {
  return `${kernel} ${workgroup}`;
}
