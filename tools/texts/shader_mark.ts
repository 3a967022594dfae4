/**
 * What makes a text a shader, and a quick look whether a file can hold one.
 *
 * @module
 */
import { HOLE } from "./value.ts";
import { tokenize } from "./wgsl_tokens.ts";

/**
 * A text is a shader if it has, outside WGSL's comments, `@compute` before another attribute, before
 * `fn` or at its end: an entry point, or the half of one. "No @compute entry point was found" is
 * none.
 */
export function isShader(text: string): boolean {
  // Tokens cost more than looking for the word, and most texts are no shaders.
  if (!text.includes("compute")) return false;
  const tokens = tokenize(text);
  return tokens.some(({ text }, at) =>
    text === "@" && tokens[at + 1]?.text === "compute" &&
    ["@", "fn", HOLE, undefined].includes(tokens[at + 2]?.text)
  );
}

// A shader's source has `@compute`, or `@` and the rest beyond a blank or a comment, or a
// beginning of it that a quote, an escape, a line's end or a placeholder cuts off, or an `@` that is
// itself an escape. Each can be seen without a parser, and then the parser looks.
const CUT = ["c", "o", "m", "p", "u", "t", "e"]
  .reduceRight((rest, letter) => `(?:${letter}${rest})?`, "");
const MARKS = [`@(?:compute|[\\s/]|${CUT}["'\`\\\\\${])`, "\\\\(?:x|u00|u\\{0*)40|\\\\100"];
// The text of these stands in another file.
const INCLUDES = ["include_str", "include_bytes"];

/**
 * Makes the quick look: whether a source may hold a shader or a constant of one of these names. It
 * says yes too often, and never no where there is one.
 */
export function mayHoldText(names: Iterable<string>): (source: string) => boolean {
  const pattern = new RegExp([...MARKS, ...INCLUDES, ...[...names].map(RegExp.escape)].join("|"));
  return (source) => pattern.test(source);
}
