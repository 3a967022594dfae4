/**
 * From saved files to verdicts, again and again.
 *
 * @module
 */
import { Failure } from "../exit_codes.ts";
import { runBatches } from "../runner/schedule.ts";
import type { Check, Result } from "../runner/verdict.ts";
import type { Changes } from "./changes.ts";
import type { WatchExecutor } from "./executor.ts";
import type { CaseStates } from "./protocol.ts";

/** Milliseconds that a batch may go on for once a newer save has come; then its process is ended. */
const GRACE = 200;

/** What a run after a save came to. */
export interface Rerun {
  /** Kernels that the saved files touch by themselves. */
  readonly kernels: readonly string[];
  readonly results: readonly Result[];
  /** What could not be imported or made, and goldens that cannot be used. */
  readonly problems: readonly string[];
  /** From the first batch to the last verdict. */
  readonly seconds: number;
}

export interface WatcherOptions {
  readonly globs: readonly string[];
  readonly kernels: readonly string[];
  /** A process of the same adapter, which is not started yet. */
  readonly another: () => WatchExecutor;
  /** Is told when something begins to run; `undefined` stands for everything. */
  readonly begin: (changes: Changes | undefined) => void;
  /** Is told the first verdict of a run. */
  readonly first: (result: Result, changes: Changes | undefined) => void;
  readonly show: (rerun: Rerun, changes: Changes | undefined) => void;
}

interface Standby {
  readonly executor: WatchExecutor;
  /** It has opened its adapter and measured its rules. */
  readonly ready: Promise<unknown>;
}

/** A newer save makes a run pointless. */
class Overtaken extends Error {}

export class Watcher {
  readonly #options: WatcherOptions;
  #executor: WatchExecutor;
  /** Started ahead, with nothing imported yet. */
  #standby: Standby | undefined;
  /** The process in hand cannot import what is on disk now, or did so before it changed. */
  #isStale = false;
  /** What is saved and has not run yet. */
  #waiting: Changes | undefined;
  #wake = Promise.withResolvers<void>();
  #states: CaseStates = {};

  /** @param executor a process that has its adapter open */
  constructor(executor: WatchExecutor, options: WatcherOptions) {
    this.#executor = executor;
    this.#options = options;
  }

  /** Something was saved. */
  changed(changes: Changes): void {
    this.#waiting = together(this.#waiting, changes, this.#waiting?.since ?? changes.since);
    this.#wake.resolve();
  }

  /** Runs everything once, then what each change touches. It does not return. */
  async watch(): Promise<never> {
    let changes: Changes | undefined;
    let isFirst = true;
    for (;;) {
      const isDone = await this.#run(changes);
      if (isDone) isFirst = false;
      if (!this.#waiting) await this.#rest();
      if (!this.#waiting) await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
      const fresh = this.#waiting!;
      this.#waiting = undefined;
      this.#isStale ||= fresh.files.some((file) => !file.endsWith(".wgsl"));
      // What came to no end is made up for; before the first end, that is everything.
      changes = isFirst ? undefined : isDone ? fresh : together(changes, fresh, fresh.since);
    }
  }

  /** Ends all processes. */
  close(): void {
    this.#executor.close();
    this.#standby?.executor.close();
  }

  /** @returns whether it came to an end, or has to be made up for */
  async #run(changes: Changes | undefined): Promise<boolean> {
    const { begin, show } = this.#options;
    begin(changes);
    try {
      show(await this.#rerun(changes), changes);
      return true;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      if (!(error instanceof Failure)) throw error;
      this.#isStale = true;
      show({ kernels: [], results: [], problems: [error.message], seconds: 0 }, changes);
      return false;
    }
  }

  async #rerun(changes: Changes | undefined): Promise<Rerun> {
    if (this.#isStale) await this.#renew();
    const executor = this.#executor;
    const { globs, kernels, first } = this.#options;
    const begun = performance.now();
    const plan = await this.#unlessOvertaken(executor.plan({
      kind: "plan",
      globs,
      kernels,
      ...(changes && { changed: changes.files }),
      states: this.#states,
    }));
    const run = (checks: readonly Check[]) => this.#unlessOvertaken(executor.run(checks));
    const results: Result[] = [];
    for await (const result of runBatches({ run }, plan.batches)) {
      if (results.length === 0) first(result, changes);
      results.push(result);
    }
    const seconds = (performance.now() - begun) / 1000;
    return { kernels: plan.kernels, results, problems: plan.problems, seconds };
  }

  /** A process that has imported nothing takes the place of the one in hand. */
  async #renew(): Promise<void> {
    const { executor, ready } = this.#standBy();
    try {
      await ready;
    } finally {
      this.#standby = undefined; // where it cannot start, the next run tries again
    }
    this.#executor.close();
    this.#executor = executor;
    this.#isStale = false;
  }

  #standBy(): Standby {
    if (!this.#standby) {
      const executor = this.#options.another();
      const ready = executor.adapter().then(() => executor.rules());
      ready.catch(() => {}); // it is told when the process is needed
      this.#standby = { executor, ready };
    }
    return this.#standby;
  }

  /** What a run needs not wait for: the next process, and the cases as they are now. */
  async #rest(): Promise<void> {
    this.#standBy();
    let isComplete = this.#isStale;
    while (!isComplete && !this.#waiting) {
      try {
        const reply = await this.#executor.states();
        this.#states = reply.states;
        isComplete = reply.isComplete;
      } catch (error) {
        if (!(error instanceof Failure)) throw error; // what it says, the run has said
        isComplete = true;
      }
    }
  }

  async #unlessOvertaken<Found>(work: Promise<Found>): Promise<Found> {
    const isLate = this.#wake.promise.then(() =>
      new Promise<Overtaken>((resolve) => setTimeout(() => resolve(new Overtaken()), GRACE))
    );
    const found = await Promise.race([work, isLate]);
    if (found instanceof Overtaken) {
      this.#executor.close();
      await work.catch(() => {});
      throw found;
    }
    if (this.#waiting) throw new Overtaken();
    return found;
  }
}

function together(before: Changes | undefined, now: Changes, since: number): Changes {
  return { files: [...new Set([...before?.files ?? [], ...now.files])].sort(), since };
}
