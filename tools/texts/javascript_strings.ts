/**
 * JavaScript's string and template literals (ECMA-262, 12.9.4 and 12.9.6), in module code: there are
 * no octal escapes.
 *
 * @module
 */
import type { Location, TextBuilder } from "./value.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  v: "\v",
  f: "\f",
};

/** Adds the inside of a string, or of a template between its substitutions, its escapes undone. */
export function addCooked(body: string, { file, line }: Location, to: TextBuilder): void {
  for (let at = 0; at < body.length;) {
    const escape = body.indexOf("\\", at);
    const end = escape < 0 ? body.length : escape;
    line = to.addVerbatim(body.slice(at, end), { file, line });
    if (escape < 0) return;
    const { text, length } = readEscape(body, escape);
    const source = body.slice(escape, escape + length);
    if (text === undefined) to.addHole(`JavaScript has no escape ${source}`, { file, line });
    else to.add(text, { file, line });
    if (source.endsWith("\n")) line++;
    at = escape + length;
  }
}

interface Escape {
  /** Undefined where the language has no such escape. */
  readonly text: string | undefined;
  /** Characters of the source, the backslash among them. */
  readonly length: number;
}

function readEscape(body: string, at: number): Escape {
  const letter = String.fromCodePoint(body.codePointAt(at + 1) ?? 0x5c);
  if (/[\n\u2028\u2029]/.test(letter)) return { text: "", length: 2 }; // a line continuation
  if (letter === "x" || letter === "u") return readCode(body, at);
  if (letter === "0" && !/\d/.test(body[at + 2] ?? "")) return { text: "\0", length: 2 };
  if (/\d/.test(letter)) return { text: undefined, length: 2 };
  return { text: SIMPLE[letter] ?? letter, length: 1 + letter.length };
}

const CODE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{0*([\da-fA-F]{1,6})\})/y;

function readCode(body: string, at: number): Escape {
  CODE.lastIndex = at;
  const match = CODE.exec(body);
  const code = Number.parseInt(match?.[1] ?? match?.[2] ?? match?.[3] ?? "", 16);
  if (!match || code > 0x10ffff) return { text: undefined, length: 2 };
  return { text: String.fromCodePoint(code), length: match[0].length };
}
