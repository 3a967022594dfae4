/**
 * WGSL's tokens, without blanks and comments (WGSL specification, sections 3.3 to 3.7).
 *
 * @module
 */

export interface Token {
  readonly kind: "name" | "number" | "mark";
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly at: number;
}

const BLANKS = /[ \t\n\v\f\r\u0085\u200e\u200f\u2028\u2029]+/y;
const LINE_COMMENT = /\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y;
const NAME = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
const NUMBER = new RegExp(
  [
    /0[xX](?:[\da-fA-F]+\.?[\da-fA-F]*|\.[\da-fA-F]+)(?:[pP][+-]?\d+)?[iufh]?/,
    /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?/,
  ].map(({ source }) => source).join("|"),
  "y",
);
// The longest first. `>>` of `array<vec4<f32>>` is one token here: written `> >` it counts as other
// code, which errs on the side of looking again.
const MARK = /<<=|>>=|->|&&|\|\||[=!<>]=|<<|>>|\+\+|--|[-+*/%&|^]=|./suy;

/** A comment that does not end, or a character that WGSL does not have, becomes a mark. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const skipped = match(BLANKS, text, at) || match(LINE_COMMENT, text, at) ||
      blockComment(text, at);
    if (skipped) {
      at += skipped.length;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  const name = match(NAME, text, at);
  if (name) return { kind: "name", text: name, at };
  const number = match(NUMBER, text, at);
  if (number) return { kind: "number", text: number, at };
  return { kind: "mark", text: match(MARK, text, at), at };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Block comments nest. */
function blockComment(text: string, start: number): string {
  if (!text.startsWith("/*", start)) return "";
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text.startsWith("/*", at)) {
      depth++;
      at++;
    } else if (text.startsWith("*/", at)) {
      depth--;
      at++;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return "";
}
