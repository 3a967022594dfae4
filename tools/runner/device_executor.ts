/**
 * Running batches on a device in this very thread.
 *
 * @module
 */
import { type Case, caseAt } from "../../cases/mod.ts";
import type { Dispatch, Kernel } from "../../kernels/kernel.ts";
import { measureRules, type Rules } from "../profile/measure.ts";
import { brokenRule } from "../profile/needs.ts";
import { type Beside, withBeside } from "./beside.ts";
import { BatchError, type Prepared, runBatch } from "./batch.ts";
import type { Output } from "./compare.ts";
import { featureNeeds } from "./features.ts";
import type { Executor, Outcome } from "./executor.ts";
import { judge, type Loaded } from "./judge.ts";
import { dispatchNeeds, kernelNeeds } from "./limits.ts";
import { lossOf, type Watched, watchLoss } from "./loss.ts";
import { Pipelines } from "./pipelines.ts";
import type { StripDigests } from "./strips.ts";
import type { Check, Result, Verdict } from "./verdict.ts";

/** Gives the golden of a case, as stored. */
export type GoldenSource = (subject: Case) => Promise<Uint32Array | StripDigests>;

/** What an executor needs. */
export interface DeviceExecutorOptions {
  /** Opens a device; asked again after one was lost. */
  readonly open: () => Promise<GPUDevice>;
  /** Every kernel that a check may name. */
  readonly kernels: readonly Kernel[];
  /** Where the right words come from. */
  readonly golden: GoldenSource;
  /** Gives the part of a case's input that is stored with its golden. Default: there is none. */
  readonly storedInput?: (subject: Case) => Promise<Uint8Array | undefined>;
  /**
   * The adapter's rules, where they were measured: what a check needs is held against them. What a
   * kernel needs is in any case: its rules are measured then.
   */
  readonly rules?: () => Rules | undefined;
  /** Times that each check is run; all must give the same bits. Default 1. */
  readonly repeats?: number;
}

/** Weight products of the inputs that are kept: all small cases together, some tens of megabytes. */
const KEPT_WORK = 200e6;

interface OpenDevice extends Watched {
  readonly pipelines: Pipelines;
  /** Its arithmetic, once a kernel asked for it. */
  rules?: Promise<Rules>;
}

/** See {@linkcode Executor}. */
export class DeviceExecutor implements Executor {
  readonly #options: DeviceExecutorOptions;
  #open: OpenDevice | undefined;
  /** Inputs of late: a case is wanted by several batches in a row. */
  #loaded = new Map<string, Promise<Loaded>>();

  /** Opens nothing yet: the first batch does. */
  constructor(options: DeviceExecutorOptions) {
    this.#options = options;
  }

  /** See {@linkcode Executor.run}. */
  async run(checks: readonly Check[]): Promise<Outcome> {
    let open: OpenDevice;
    try {
      open = await this.#device();
    } catch (error) {
      return broken(`Cannot open a device: ${(error as Error).message}`, true);
    }
    this.#forget(new Set(checks.map(({ address }) => address)));
    const outcome = await this.#attempt(open, checks);
    if (outcome.kind === "results" && outcome.results.every(passed)) return outcome;
    // On a device that is gone even a sound text does not compile.
    const loss = await lossOf(open);
    if (loss === undefined) return outcome;
    this.#open = undefined;
    return broken(`The device was lost: ${loss}`, true);
  }

  /**
   * Runs one check and gives its output itself.
   *
   * @param beside a text to run in place of the kernel's; its own words follow those of the output
   * @returns the verdict where it cannot be run
   */
  async capture(check: Check, repeats: number, beside?: Beside): Promise<Output | Verdict> {
    const { device, pipelines } = await this.#device();
    const made = await this.#prepare(device, pipelines, check, beside);
    if ("verdict" in made) return made.verdict;
    const [output] = await runBatch(device, [made.prepared], repeats);
    return output!;
  }

  async #attempt(open: OpenDevice, checks: readonly Check[]): Promise<Outcome> {
    try {
      const verdicts = await this.#verdicts(open, checks);
      const results = checks.map((check, i) => ({ check, verdict: verdicts[i]! }));
      return { kind: "results", results };
    } catch (error) {
      if (!(error instanceof BatchError) && !isGpuError(error)) throw error;
      return broken(`The GPU refused the run: ${(error as Error).message}`, false);
    }
  }

  async #device(): Promise<OpenDevice> {
    if (!this.#open || this.#open.lost) {
      const device = await this.#options.open();
      this.#open = Object.assign(watchLoss(device), { pipelines: new Pipelines(device) });
    }
    return this.#open;
  }

  async #verdicts({ device, pipelines }: OpenDevice, checks: readonly Check[]): Promise<Verdict[]> {
    const made = await Promise.all(checks.map((check) => this.#prepare(device, pipelines, check)));
    const ready = made.filter((one) => "prepared" in one);
    const outputs = ready.length === 0
      ? []
      : await runBatch(device, ready.map(({ prepared }) => prepared), this.#options.repeats ?? 1);
    const judged = await Promise.all(ready.map(({ loaded }, i) => judge(loaded, outputs[i]!)));
    return made.map((one) => "prepared" in one ? judged[ready.indexOf(one)]! : one.verdict);
  }

  /** Makes a check ready, or says at once what it comes to. */
  async #prepare(
    device: GPUDevice,
    pipelines: Pipelines,
    { kernel: name, address, workgroup }: Check,
    beside?: Beside,
  ): Promise<{ verdict: Verdict } | { prepared: Prepared; loaded: Loaded }> {
    const known = this.#options.kernels.find((one) => one.name === name)!;
    const kernelReason = featureNeeds(known, device.features) ??
      kernelNeeds(known, workgroup, device.limits);
    if (kernelReason) return { verdict: { kind: "unsupported", reason: kernelReason } };
    const loaded = await this.#load(address);
    const kernel = beside ? withBeside(known, beside, loaded.expected.length) : known;
    const rule = await this.#brokenRule(kernel, loaded);
    if (rule) return { verdict: { kind: "unsupported", reason: rule } };
    const dispatches = kernel.prepare(loaded.input, workgroup)
      .map((dispatch) => this.#withKnownText(dispatch));
    const reason = dispatchNeeds(dispatches, device.limits);
    if (reason) return { verdict: { kind: "unsupported", reason } };
    const runs = await pipelines.runs(kernel, workgroup, dispatches);
    if ("verdict" in runs) return runs;
    const expected = beside ? followedBy(loaded.expected, beside.words) : loaded.expected;
    return { prepared: { runs, expected }, loaded };
  }

  /** Another kernel's text is the one that checks of that kernel run, which may not be its recipe's. */
  #withKnownText(dispatch: Dispatch): Dispatch {
    const known = this.#options.kernels.find(({ name }) => name === dispatch.kernel?.name);
    return known ? { ...dispatch, kernel: known } : dispatch;
  }

  async #brokenRule(
    kernel: Kernel,
    { subject, input }: Loaded,
  ): Promise<string | undefined> {
    const rules = this.#options.rules?.();
    const { needs = [] } = kernel;
    if (rules) {
      return brokenRule(rules, [...needs, ...subject.family.needs(input)], kernel.rounds(input));
    }
    return needs.length > 0 ? brokenRule(await this.#measured(), needs, 0) : undefined;
  }

  /** What a kernel depends on is never taken for granted. */
  async #measured(): Promise<Rules> {
    const open = await this.#device();
    return await (open.rules ??= measureRules(open.device));
  }

  #load(address: string): Promise<Loaded> {
    let loaded = this.#loaded.get(address);
    if (!loaded) {
      loaded = this.#loadNow(address);
      this.#loaded.set(address, loaded);
    }
    return loaded;
  }

  async #loadNow(address: string): Promise<Loaded> {
    const subject = caseAt(address);
    const { family, parsed } = subject;
    const input = family.input(parsed, await this.#options.storedInput?.(subject));
    const golden = await this.#options.golden(subject);
    if (golden instanceof Uint32Array) {
      const bounds = family.bounds?.(golden, input);
      return {
        subject,
        input,
        expected: family.expand(golden, input),
        ...(bounds && { bounds }),
      };
    }
    const { rows, cols } = family.grid(input);
    return { subject, input, expected: new Uint32Array(rows * cols), strips: golden };
  }

  /** Lets all inputs go but the batch's own, once there are many. */
  #forget(wanted: ReadonlySet<string>): void {
    const work = [...this.#loaded.keys()].reduce((sum, address) => {
      const { family, parsed } = caseAt(address);
      return sum + family.cost(parsed);
    }, 0);
    if (work <= KEPT_WORK) return;
    for (const address of this.#loaded.keys()) {
      if (!wanted.has(address)) this.#loaded.delete(address);
    }
  }
}

/** Words with zeros after them, so that what is not written there holds a NaN's bits. */
function followedBy(words: Uint32Array, count: number): Uint32Array {
  const all = new Uint32Array(words.length + count);
  all.set(words);
  return all;
}

function broken(message: string, fatal: boolean): Outcome {
  return { kind: "broken", message, fatal };
}

function passed({ verdict }: Result): boolean {
  return verdict.kind === "pass";
}

/** What a rejected GPU promise carries: a mapping that failed, a device that is gone. */
function isGpuError(error: unknown): boolean {
  return error instanceof DOMException ||
    (error instanceof Error && error.constructor.name.startsWith("GPU"));
}
