/**
 * What a constant of the engine is worth: a text, or something that only a run of the engine could
 * tell.
 *
 * @module
 */

/** A line of a file, counted from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
}

/** A text that is known to the last byte. */
export interface KnownText {
  readonly kind: "text";
  readonly text: string;
  /** Where each of its lines stands in the engine's sources. */
  readonly lines: readonly Location[];
}

/** A text that cannot be compared: something else fills it in. */
export interface OpenText {
  readonly kind: "open";
  /** What is known of it, each unknown part as {@linkcode HOLE}. */
  readonly text: string;
  readonly reason: string;
}

export type Value = KnownText | OpenText;

/** A text found in the engine, named or not. */
export interface Constant extends Location {
  /** Undefined for a whole file, and for a text in no constant. */
  readonly name: string | undefined;
  readonly value: Value;
}

/** Stands for an unknown part of a text: OBJECT REPLACEMENT CHARACTER, which no shader holds. */
export const HOLE = "\uFFFC";

// A name between double braces is no WGSL, which `{{` and `}}` alone may be. The sigils are those
// of Mustache and its kin.
const PLACEHOLDER = /\{\{[-#/>!&^{~]?\s*[A-Za-z_][\w.]*(?:[ \t]+[\w.|]+)*\s*[-}~]?\}\}/;

/** Joins a text from the parts of an expression, remembering where each line came from. */
export class TextBuilder {
  #text = "";
  #lines: Location[] = [];
  #atLineStart = true;
  #reasons = new Set<string>();

  /** Adds a part that stands on one line of the source; a line feed may only end it. */
  add(part: string, at: Location): void {
    if (part === "") return;
    if (this.#atLineStart) this.#lines.push(at);
    this.#text += part;
    this.#atLineStart = part.endsWith("\n");
  }

  /** Adds what stands verbatim in a source, from line `line` on; returns the line it ends on. */
  addVerbatim(part: string, { file, line }: Location): number {
    let start = 0;
    for (let end; (end = part.indexOf("\n", start)) >= 0; start = end + 1) {
      this.add(part.slice(start, end + 1), { file, line: line++ });
    }
    this.add(part.slice(start), { file, line });
    return line;
  }

  /** Adds a part that cannot be known, and why. */
  addHole(reason: string, at: Location): void {
    this.#reasons.add(reason);
    this.add(HOLE, at);
  }

  value(): Value {
    const text = this.#text;
    const placeholder = PLACEHOLDER.exec(text)?.[0];
    if (placeholder) this.#reasons.add(`a template fills in its ${placeholder}`);
    // Half of a surrogate pair has no UTF-8, and so no bytes to compare.
    if (!text.isWellFormed()) this.#reasons.add("it holds half of a surrogate pair");
    if (this.#reasons.size > 0) {
      return { kind: "open", text, reason: [...this.#reasons].join("; ") };
    }
    return { kind: "text", text, lines: this.#lines };
  }
}
