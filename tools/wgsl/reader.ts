/**
 * Reading tokens one after the other.
 *
 * @module
 */
import { type Token, tokenize } from "../texts/wgsl_tokens.ts";
import type { Span } from "./syntax.ts";

/** A text that the parser does not know. */
export class WgslError extends Error {
  override name = "WgslError";
}

export class Reader {
  readonly #text: string;
  readonly #tokens: Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  atEnd(): boolean {
    return this.#next >= this.#tokens.length;
  }

  /** Does this mark or name come next? */
  is(text: string): boolean {
    return this.#tokens[this.#next]?.text === text;
  }

  accept(mark: string): boolean {
    if (!this.is(mark)) return false;
    this.#next++;
    return true;
  }

  acceptName(name: string): boolean {
    return this.#tokens[this.#next]?.kind === "name" && this.accept(name);
  }

  acceptNumber(): string | undefined {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "number") return undefined;
    this.#next++;
    return token.text;
  }

  expect(mark: string): void {
    // `>>` that closes two templates is one token; here it is two.
    const token = this.#tokens[this.#next];
    if (mark === ">" && token?.text === ">>") {
      this.#tokens.splice(
        this.#next,
        1,
        { ...token, text: ">" },
        { ...token, text: ">", at: token.at + 1 },
      );
    }
    if (!this.accept(mark)) throw this.error(`"${mark}"`);
  }

  name(): string {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "name") throw this.error("a name");
    this.#next++;
    return token.text;
  }

  /** Items up to the closing mark, separated by commas. */
  list<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.is(close)) {
      items.push(item());
      if (!this.accept(",")) break;
    }
    this.expect(close);
    return items;
  }

  /** What stands in `<…>`, as it is written. */
  template(): string {
    this.expect("<");
    const start = this.start();
    this.#typeArgument();
    while (this.accept(",")) this.#typeArgument();
    const text = this.#text.slice(start, this.lastEnd());
    this.expect(">");
    return text;
  }

  #typeArgument(): void {
    if (this.acceptNumber() === undefined) this.type();
  }

  /** A type, as it is written. */
  type(): string {
    const start = this.start();
    this.name();
    if (this.is("<")) this.template();
    return this.#text.slice(start, this.lastEnd());
  }

  /** Where the next token begins. */
  start(): number {
    return this.#tokens[this.#next]?.at ?? this.#text.length;
  }

  /** Where the last token ended. */
  lastEnd(): number {
    const token = this.#tokens[this.#next - 1]!;
    return token.at + token.text.length;
  }

  /** The next token's place. */
  span(): Span {
    const start = this.start();
    return { start, end: start + (this.#tokens[this.#next]?.text.length ?? 0) };
  }

  error(expected: string): WgslError {
    const before = this.#text.slice(0, this.start()).split("\n");
    return new WgslError(
      `Cannot parse the shader text at line ${before.length}, column ${
        before.at(-1)!.length + 1
      }: ` +
        `expected ${expected}, found "${
          this.#tokens[this.#next]?.text ?? "the end"
        }". The parser ` +
        "(tools/wgsl) knows what the shipped kernels use; teach it what is new.",
    );
  }
}
