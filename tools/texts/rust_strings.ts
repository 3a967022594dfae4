/**
 * Rust's string literals (Rust Reference, "Tokens").
 *
 * @module
 */
import type { Location, TextBuilder } from "./value.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  0: "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Adds `r"…"`, `r#"…"#` and so on: what stands between the quotes. */
export function addRawString(literal: string, at: Location, to: TextBuilder): void {
  const open = literal.indexOf('"');
  const hashes = open - literal.indexOf("r") - 1;
  to.addVerbatim(literal.slice(open + 1, literal.length - 1 - hashes), at);
}

/** Adds `"…"` or a char literal, its escapes undone. */
export function addString(literal: string, { file, line }: Location, to: TextBuilder): void {
  const body = literal.slice(1, -1);
  for (let at = 0; at < body.length;) {
    const escape = body.indexOf("\\", at);
    const end = escape < 0 ? body.length : escape;
    const verbatim = body.slice(at, end);
    // A parser that met a mistake may have taken two literals for one.
    if (verbatim.includes(literal[0]!)) to.addHole("it cannot be parsed", { file, line });
    line = to.addVerbatim(verbatim, { file, line });
    if (escape < 0) return;
    const { text, length, problem } = readEscape(body, escape);
    if (problem) to.addHole(problem, { file, line });
    else to.add(text, { file, line });
    line += newlines(body.slice(escape, escape + length));
    at = escape + length;
  }
}

interface Escape {
  readonly text: string;
  /** Characters of the source, the backslash among them. */
  readonly length: number;
  readonly problem?: string;
}

const CONTINUATION = /\\\n[ \t\n\r]*/y; // it also swallows the blanks and lines after it
const CODE = /\\(?:x([0-7][\da-fA-F])|u\{([\da-fA-F][\da-fA-F_]*)\})/y;

function readEscape(body: string, at: number): Escape {
  const text = SIMPLE[body[at + 1] ?? ""];
  if (text !== undefined) return { text, length: 2 };
  CONTINUATION.lastIndex = CODE.lastIndex = at;
  const skipped = CONTINUATION.exec(body);
  if (skipped) return { text: "", length: skipped[0].length };
  const match = CODE.exec(body);
  const code = Number.parseInt((match?.[1] ?? match?.[2] ?? "").replaceAll("_", ""), 16);
  const surrogate = code >= 0xd800 && code < 0xe000;
  if (!match || code > 0x10ffff || surrogate) return unknown(body, at);
  return { text: String.fromCodePoint(code), length: match[0].length };
}

function unknown(body: string, at: number): Escape {
  const shown = body.slice(at, at + 2);
  return { text: "", length: 2, problem: `Rust has no escape ${shown} as it stands there` };
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}
