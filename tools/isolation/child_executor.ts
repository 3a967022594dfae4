/**
 * Running batches in a process of their own: a kernel that never ends is killed, and one that takes
 * its process with it takes nothing else.
 *
 * @module
 */
import { type ExitCode, Failure } from "../exit_codes.ts";
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Output } from "../runner/compare.ts";
import type { Executor, Outcome } from "../runner/executor.ts";
import type { Check } from "../runner/verdict.ts";
import {
  type Assignment,
  decodeLine,
  encodeLine,
  linesOf,
  type Reply,
  type Request,
  type Variant,
} from "./protocol.ts";

export interface ChildOptions {
  readonly assignment: Assignment;
  /** Variables for the child beside the inherited ones: the choice of backend and driver. */
  readonly env: Readonly<Record<string, string>>;
  /** Seconds that a batch may take. */
  readonly limit: number;
}

/** See {@linkcode Executor}. Its process is started again after it was lost. */
export class ChildExecutor implements Executor {
  readonly #options: ChildOptions;
  #child: Child | undefined;
  #rules: Rules | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Starts the process and asks for its adapter; `null` where there is none. */
  async adapter(): Promise<AdapterDescription | null> {
    const reply = await this.#start();
    return reply.kind === "adapter" ? reply.adapter : null;
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
    variants: readonly Variant[] = [],
    limit?: number,
  ): Promise<Outcome> {
    const rules = this.#rules;
    const request = { kind: "checks", checks, variants, ...(rules && { rules }) } as const;
    const reply = await this.#request(request, limit);
    if (reply.kind === "outcome") return reply.outcome;
    throw new Error(`the process answered a batch with "${reply.kind}"`);
  }

  /** Runs one check so often and gives its output; a sentence where there is none. */
  async capture(check: Check, repeats: number): Promise<Output | string> {
    const reply = await this.#request({ kind: "capture", check, repeats });
    if (reply.kind === "captured") {
      return {
        repeats: reply.repeats.map((text) => new Uint32Array(Uint8Array.fromBase64(text).buffer)),
        overrun: reply.overrun,
      };
    }
    if (reply.kind === "outcome" && reply.outcome.kind === "broken") return reply.outcome.message;
    return "the adapter cannot run it";
  }

  close(): void {
    this.#child?.kill();
    this.#child = undefined;
  }

  /** Asks the process, which is started where there is none. */
  async #request(request: Request, limit?: number): Promise<Reply> {
    if (!this.#child) {
      const opened = await this.#start();
      if (opened.kind === "outcome") return opened;
    }
    return await this.#ask(encodeLine(request), limit);
  }

  #start(): Promise<Reply> {
    this.#child = new Child(this.#options.env);
    return this.#ask(encodeLine(this.#options.assignment));
  }

  /** Sends a line and waits for the reply, but not longer than the limit. */
  async #ask(line: string, limit = this.#options.limit): Promise<Reply> {
    const child = this.#child!;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<"timeout">((resolve) => {
      timer = setTimeout(() => resolve("timeout"), limit * 1000);
    });
    const answer = await Promise.race([child.ask(line), timeout]);
    clearTimeout(timer);
    if (answer === "timeout") {
      this.close();
      return broken(
        `No end within ${limit} s: the kernel hangs, or needs a longer --limit.`,
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

function broken(message: string): Reply {
  return { kind: "outcome", outcome: { kind: "broken", message, fatal: true } };
}

const CHILD = new URL("./child.ts", import.meta.url);
const CONFIG = new URL("../../deno.json", import.meta.url);
/** What the child may do: read goldens and drivers' files, see its variables, load a Vulkan loader. */
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-ffi"];
/** Lines of the child's last words that are worth showing. */
const LAST_WORDS = 5;

/** The process and its streams. */
class Child {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #replies: AsyncIterator<string>;
  readonly #errors: Promise<string>;

  constructor(env: Readonly<Record<string, string>>) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--frozen",
        `--config=${CONFIG.pathname}`,
        ...PERMISSIONS,
        CHILD.href,
      ],
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#replies = linesOf(this.#process.stdout);
    this.#errors = new Response(this.#process.stderr).text();
  }

  /** The reply to a line, or `undefined` where the process ended instead. */
  async ask(line: string): Promise<Reply | undefined> {
    try {
      await this.#input.write(new TextEncoder().encode(line));
      for (let next = await this.#replies.next(); !next.done; next = await this.#replies.next()) {
        const reply = decodeLine<Reply>(next.value);
        if (reply) return reply;
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
    return undefined;
  }

  async howItEnded(): Promise<string> {
    const { code, signal } = await this.#process.status;
    const words = (await this.#errors).trim().split("\n").slice(-LAST_WORDS).join("\n");
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    return `The process that ran it ${how}.${words ? ` Its last words:\n${words}` : ""}`;
  }

  kill(): void {
    try {
      this.#process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
  }
}
