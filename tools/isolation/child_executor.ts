/**
 * Running batches in a process of their own: a kernel that never ends is killed, and one that takes
 * its process with it takes nothing else.
 *
 * @module
 */
import { EXIT, type ExitCode, Failure } from "../exit_codes.ts";
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Beside } from "../runner/beside.ts";
import type { Output } from "../runner/compare.ts";
import type { Executor, Outcome } from "../runner/executor.ts";
import type { Check } from "../runner/verdict.ts";
import { GpuProcess } from "./process.ts";
import {
  type AdapterAssignment,
  type Assignment,
  encodeLine,
  type Reply,
  type Request,
  type Variant,
} from "./protocol.ts";

export interface ChildOptions {
  /** The first line to it: an {@linkcode Assignment}, where nothing else is run. */
  readonly assignment: Assignment | AdapterAssignment;
  /** Variables for the child beside the inherited ones: the choice of backend and driver. */
  readonly env: Readonly<Record<string, string>>;
  /** Seconds that a batch may take. */
  readonly limit: number;
  /** What the process runs; default: what answers the gate. */
  readonly script?: URL;
}

/** See {@linkcode Executor}. Its process is started again after it was lost. */
export class ChildExecutor implements Executor {
  readonly #options: ChildOptions;
  #child: GpuProcess | undefined;
  #rules: Rules | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** The process in hand, for whoever wants to look at it or end it. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts the process and asks for its adapter; `null` where there is none.
   *
   * @throws {Failure} where the process crashes or hangs meanwhile: that is not "no adapter"
   */
  adapter(): Promise<AdapterDescription | null> {
    return this.#start();
  }

  /**
   * Measures the adapter's rules; every check from now on is held against them.
   *
   * @returns a sentence where they cannot be measured
   */
  async rules(): Promise<Rules | string> {
    const reply = await this.#request({ kind: "rules" });
    if (reply.kind === "rules") return this.#rules = reply.rules;
    if (reply.kind === "outcome" && reply.outcome.kind === "broken") return reply.outcome.message;
    throw new Error(`the process answered a question for rules with "${reply.kind}"`);
  }

  /**
   * See {@linkcode Executor.run}.
   *
   * @param variants kernels that the checks may name beside the project's own
   * @param limit seconds that this batch may take
   */
  async run(
    checks: readonly Check[],
    variants?: readonly Variant[],
    limit?: number,
  ): Promise<Outcome> {
    const rules = this.#rules;
    const request = {
      kind: "checks",
      checks,
      ...(variants && { variants }),
      ...(rules && { rules }),
    } as const;
    const reply = await this.#request(request, limit);
    if (reply.kind === "outcome") return reply.outcome;
    throw new Error(`the process answered a batch with "${reply.kind}"`);
  }

  /** See {@linkcode DeviceExecutor.capture}. A sentence where there is no output. */
  async capture(check: Check, repeats: number, beside?: Beside): Promise<Output | string> {
    const reply = await this.#request({
      kind: "capture",
      check,
      repeats,
      ...(beside && { beside }),
    });
    if (reply.kind === "captured") {
      return {
        repeats: reply.repeats.map((text) => new Uint32Array(Uint8Array.fromBase64(text).buffer)),
        overrun: reply.overrun,
      };
    }
    if (reply.kind === "outcome" && reply.outcome.kind === "broken") return reply.outcome.message;
    if (reply.kind === "refused" && reply.verdict.kind === "error") return reply.verdict.message;
    return "the adapter cannot run it";
  }

  close(): void {
    this.#child?.kill();
    this.#child = undefined;
  }

  /** Asks what only a process of another script answers. */
  protected ask<Answer>(request: object): Promise<Answer | Reply> {
    return this.#request(request as Request) as Promise<Answer | Reply>;
  }

  /** Asks the process, which is started where there is none. */
  async #request(request: Request, limit?: number): Promise<Reply> {
    if (!this.#child && !await this.#start()) {
      throw new Failure(
        EXIT.adapter,
        "Cannot go on: the adapter was lost, and is not found again.",
      );
    }
    return await this.#ask(encodeLine(request), limit);
  }

  async #start(): Promise<AdapterDescription | null> {
    this.#child = new GpuProcess(this.#options.script ?? CHILD, this.#options.env);
    const reply = await this.#ask(encodeLine(this.#options.assignment), START_LIMIT);
    if (reply.kind === "adapter") return reply.adapter;
    const why = reply.kind === "outcome" && reply.outcome.kind === "broken"
      ? reply.outcome.message
      : `it answered with "${reply.kind}"`;
    throw new Failure(
      EXIT.adapter,
      `Cannot open the adapter: ${why}\nMend its driver, or choose another one: deno task list ` +
        "adapters",
    );
  }

  /** Sends a line and waits for the reply, but not longer than the limit. */
  async #ask(line: string, limit = this.#options.limit): Promise<Reply> {
    const child = this.#child!;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<"timeout">((resolve) => {
      timer = setTimeout(() => resolve("timeout"), limit * 1000);
    });
    const answer = await Promise.race([ask(child, line), timeout]);
    clearTimeout(timer);
    if (answer === "timeout") {
      this.close();
      return broken(
        `No end within ${limit} s: it hangs, or needs a longer --limit.`,
      );
    }
    if (answer === undefined) {
      this.#child = undefined;
      return broken(await child.howItEnded());
    }
    if (answer.kind === "failure") {
      throw new Failure(answer.exitCode as ExitCode, answer.message);
    }
    return answer;
  }
}

async function ask(child: GpuProcess, line: string): Promise<Reply | undefined> {
  return await child.send(line) ? await child.next<Reply>() : undefined;
}

function broken(message: string): Reply {
  return { kind: "outcome", outcome: { kind: "broken", message, fatal: true } };
}

const CHILD = new URL("./child.ts", import.meta.url);
/** Seconds that a process may take to open its adapter: no kernel has run yet. */
const START_LIMIT = 60;
