/**
 * `watch`'s GPU process, seen from the command.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { ChildExecutor, type ChildOptions } from "../isolation/child_executor.ts";
import type { Check } from "../runner/verdict.ts";
import type { CaseStates, PlanRequest, WatchReply, WatchRequest } from "./protocol.ts";

const SCRIPT = new URL("./child.ts", import.meta.url);

/** The plan that a process makes of a request. */
export interface Plan {
  /** Kernels that the changed files touch. */
  readonly kernels: readonly string[];
  /** Its batches; a process that was lost meanwhile makes the plan again, for what is left. */
  readonly batches: AsyncIterable<readonly Check[]>;
  /** Goldens that cannot be used; complete after the last batch. */
  readonly problems: readonly string[];
}

export class WatchExecutor extends ChildExecutor {
  constructor(options: Omit<ChildOptions, "script">) {
    super({ ...options, script: SCRIPT });
  }

  /** @throws {Failure} where kernels or cases cannot be imported, or nothing matches the globs */
  async plan(request: PlanRequest): Promise<Plan> {
    const { kernels } = await this.#answer(request, "planned");
    const problems: string[] = [];
    return { kernels, batches: this.#batches(request, problems), problems };
  }

  /** The chosen cases as they are now, as many as are looked at yet. */
  async states(): Promise<{ states: CaseStates; isComplete: boolean }> {
    return await this.#answer({ kind: "states" }, "states");
  }

  async *#batches(request: PlanRequest, problems: string[]): AsyncGenerator<readonly Check[]> {
    const given = new Set<string>();
    const keyOf = ({ kernel, address }: Check) => `${kernel} ${address}`;
    for (;;) {
      const next = await this.#answer({ kind: "next" }, "next");
      if (next.forgotten) {
        await this.#answer(request, "planned");
        continue;
      }
      if (!next.checks) return void problems.push(...next.problems);
      const checks = next.checks.filter((check) => !given.has(keyOf(check)));
      for (const check of checks) given.add(keyOf(check));
      if (checks.length > 0) yield checks;
    }
  }

  async #answer<Kind extends WatchReply["kind"]>(
    request: WatchRequest,
    kind: Kind,
  ): Promise<Extract<WatchReply, { kind: Kind }>> {
    const reply = await this.ask<WatchReply>(request);
    if (reply.kind === kind) return reply as Extract<WatchReply, { kind: Kind }>;
    const why = reply.kind === "outcome" && reply.outcome.kind === "broken"
      ? reply.outcome.message
      : `the process answered "${request.kind}" with "${reply.kind}"`;
    throw new Failure(EXIT.differs, why);
  }
}
