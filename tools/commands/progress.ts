/**
 * Where a run stands: one line that rewrites itself on a terminal, nothing in a log.
 *
 * @module
 */
import type { Result } from "../runner/verdict.ts";

const CLEAR_LINE = "\r\x1b[K";

export class Progress {
  readonly #planned: number;
  readonly #visible = Deno.stderr.isTerminal();
  #failed = 0;

  constructor(planned: number) {
    this.#planned = planned;
  }

  show(results: readonly Result[]): void {
    if (!this.#visible) return;
    const { kind } = results.at(-1)!.verdict;
    if (kind === "differ" || kind === "error") this.#failed++;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    this.#write(`${CLEAR_LINE}${results.length} of ${this.#planned} checks${failed}`);
  }

  end(): void {
    if (this.#visible) this.#write(CLEAR_LINE);
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}
