/**
 * Timing in a process of its own: a kernel that never ends is killed.
 *
 * @module
 */
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import { GpuProcess } from "../isolation/process.ts";
import { encodeLine } from "../isolation/protocol.ts";
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Verdict } from "../runner/verdict.ts";
import type { BandwidthPoint } from "./bandwidth.ts";
import type {
  Measurement,
  Measuring,
  Target,
  TimingAssignment,
  TimingReply,
  TimingRequest,
} from "./protocol.ts";

const CHILD = new URL("./child.ts", import.meta.url);

type Progress = (done: number) => void;
type Final = Exclude<TimingReply, { kind: "progress" | "failure" }>;

export interface TimingOptions {
  readonly assignment: TimingAssignment;
  /** Variables beside the inherited ones. */
  readonly env: Readonly<Record<string, string>>;
  /** Seconds without a sign of life after which the process is ended. */
  readonly limit: number;
}

export class TimingProcess {
  readonly #options: TimingOptions;
  readonly #process: GpuProcess;

  constructor(options: TimingOptions) {
    this.#options = options;
    this.#process = new GpuProcess(CHILD, options.env);
  }

  /** What it opened; `null` where there is none. */
  async adapter(): Promise<AdapterDescription | null> {
    const { adapter } = await this.#ask(this.#options.assignment, "adapter");
    return adapter;
  }

  /** The arithmetic rules that the adapter keeps. */
  async rules(): Promise<Rules> {
    const { rules } = await this.#ask({ kind: "rules" }, "rules");
    return rules;
  }

  async prove(targets: readonly Target[], progress: Progress): Promise<readonly Verdict[]> {
    const { verdicts } = await this.#ask({ kind: "prove", targets }, "proved", progress);
    return verdicts;
  }

  /** @param ids of targets that passed */
  async measure(
    ids: readonly string[],
    measuring: Measuring,
    progress: Progress,
  ): Promise<Measurement> {
    const request = { kind: "measure", ids, measuring } as const;
    const { measurement } = await this.#ask(request, "measured", progress);
    return measurement;
  }

  async bandwidth(
    sizes: readonly number[],
    passes: number,
    progress: Progress,
  ): Promise<readonly BandwidthPoint[]> {
    const request = { kind: "bandwidth", sizes, passes } as const;
    const { points } = await this.#ask(request, "bandwidths", progress);
    return points;
  }

  close(): void {
    this.#process.kill();
  }

  async #ask<Kind extends Final["kind"]>(
    line: TimingAssignment | TimingRequest,
    kind: Kind,
    progress: Progress = () => {},
  ): Promise<Extract<Final, { kind: Kind }>> {
    if (await this.#process.send(encodeLine(line))) {
      for (;;) {
        const reply = await this.#next();
        if (reply === undefined) break;
        if (reply.kind === "failure") {
          throw new Failure(reply.exitCode as ExitCode, reply.message);
        }
        if (reply.kind === "progress") progress(reply.done);
        else if (reply.kind === kind) return reply as Extract<Final, { kind: Kind }>;
      }
    }
    throw new Failure(EXIT.differs, `Cannot time: ${await this.#process.howItEnded()}`);
  }

  /** The next reply, but not later than the limit. */
  async #next(): Promise<TimingReply | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<"timeout">((resolve) => {
      timer = setTimeout(() => resolve("timeout"), this.#options.limit * 1000);
    });
    const reply = await Promise.race([this.#process.next<TimingReply>(), timeout]);
    clearTimeout(timer);
    if (reply !== "timeout") return reply;
    this.close();
    throw new Failure(
      EXIT.differs,
      `Cannot time: no sign of life within ${this.#options.limit} s. A kernel hangs, or needs a ` +
        "longer --limit.",
    );
  }
}
