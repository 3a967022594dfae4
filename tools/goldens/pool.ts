/**
 * Making many goldens in parallel threads.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { type ExitCode, Failure } from "../exit_codes.ts";
import type { Mismatch } from "../runner/verdict.ts";
import type { FreshGolden, Modules, StoredInput } from "./fresh.ts";

/** The engine's module, to be asked beside our reference. */
export interface EngineModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its name, for messages. */
  readonly file: string;
}

/** The first message to a thread. */
export interface Setup {
  readonly modules: Modules;
  readonly engine?: EngineModule;
}

/** Every further message to a thread: a golden to make. */
export interface Job {
  readonly address: string;
  readonly stored?: StoredInput;
}

/** A thread's answer to a job. */
export type Outcome =
  | { readonly kind: "golden" } & Pick<FreshGolden, "file" | "entry">
  /** The engine's module computes other words. */
  | { readonly kind: "disagreement"; readonly mismatch: Mismatch }
  /** What a {@linkcode Failure} says. */
  | { readonly kind: "failure"; readonly exitCode: ExitCode; readonly message: string };

/** Two references give different words: nothing that either of them says is a golden. */
export class Disagreement extends Error {
  override name = "Disagreement";

  /** @param mismatch our words as the expected ones, the engine's as the actual ones */
  constructor(readonly address: string, readonly mismatch: Mismatch) {
    super(`The references differ on "${address}".`);
  }
}

/** A case, and what is stored for its input. */
export interface Wanted {
  readonly subject: Case;
  readonly stored?: StoredInput;
}

/**
 * Makes goldens, the largest first, on all processors.
 *
 * @param done called after each
 * @returns a golden for each case, in order
 * @throws {Disagreement} as soon as the engine's module gives another word
 * @throws {Failure} as soon as one cannot be made
 */
export async function makeGoldens(
  wanted: readonly Wanted[],
  setup: Setup,
  done: (count: number) => void,
): Promise<FreshGolden[]> {
  const queue = [...wanted.keys()].sort((a, b) => costOf(wanted[b]!) - costOf(wanted[a]!));
  const goldens: FreshGolden[] = [];
  let count = 0;
  const threads = Array.from(
    { length: Math.min(navigator.hardwareConcurrency, wanted.length) },
    () => new Thread(setup),
  );
  const work = async (thread: Thread) => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      goldens[index] = await thread.make(wanted[index]!);
      done(++count);
    }
  };
  try {
    await Promise.all(threads.map(work));
  } finally {
    for (const thread of threads) thread.end();
  }
  return goldens;
}

function costOf({ subject: { family, parsed } }: Wanted): number {
  return family.cost(parsed);
}

/** One thread; it does one job at a time. */
class Thread {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

  constructor(setup: Setup) {
    this.#worker.postMessage(setup);
  }

  async make({ subject, stored }: Wanted): Promise<FreshGolden> {
    const outcome = await this.#ask({ address: subject.address, ...(stored && { stored }) });
    if (outcome.kind === "failure") throw new Failure(outcome.exitCode, outcome.message);
    if (outcome.kind === "disagreement") throw new Disagreement(subject.address, outcome.mismatch);
    const { file, entry } = outcome;
    return { subject, file, entry, ...(stored && { input: stored.bytes }) };
  }

  end(): void {
    this.#worker.terminate();
  }

  #ask(job: Job): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => resolve(data);
      this.#worker.onerror = (event) => {
        event.preventDefault(); // else it ends this thread too, without a word of which case
        reject(new Error(`The thread that made golden "${job.address}" ended: ${event.message}`));
      };
      this.#worker.postMessage(job);
    });
  }
}
