/**
 * How far something is: a bar that redraws itself on a terminal, nothing in a log.
 *
 * @module
 */
const CLEAR_LINE = "\r\x1b[K";
const CELLS = 30;

export class Bar {
  readonly #all: number;
  readonly #noun: string;
  readonly #visible = Deno.stderr.isTerminal();

  constructor(all: number, noun: string) {
    this.#all = all;
    this.#noun = noun;
  }

  /** @param note what else the line is to say */
  show(done: number, note = ""): void {
    if (!this.#visible) return;
    const filled = Math.floor(CELLS * done / this.#all);
    const cells = "█".repeat(filled).padEnd(CELLS, "░");
    this.#write(`${CLEAR_LINE}${cells} ${done} of ${this.#all} ${this.#noun}${note}`);
  }

  end(): void {
    if (this.#visible) this.#write(CLEAR_LINE);
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }
}
