/**
 * A text as the constant to paste into the engine.
 *
 * @module
 */

import { EXIT, Failure } from "../exit_codes.ts";
import type { OwnText } from "./own.ts";
import type { Twins } from "./twins.ts";

export type EmitLanguage = "rust" | "js";

// A raw literal cannot hold a carriage return (compilers read CR LF as LF), nobody sees the other
// control characters, and rustc refuses the ones that change the direction of reading.
const UNPRINTABLE = /[^\P{C}\n\t]/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE, "gu");

export function emit(language: EmitLanguage, name: string, text: string): string {
  return language === "rust"
    ? `pub const ${name}: &str = ${rustLiteral(text)};\n`
    : `export const ${name} = /* wgsl */ \`${templateBody(text)}\`;\n`;
}

function rustLiteral(text: string): string {
  const hashes = longestQuotedHashes(text) + 1;
  // Rust takes at most 255 hashes.
  if (UNPRINTABLE.test(text) || hashes > 255) return ordinaryRust(text);
  const fence = text.includes('"') ? "#".repeat(hashes) : "";
  return `r${fence}"${text}"${fence}`;
}

/** The most hashes that follow a quote: one more is needed to fence them. */
function longestQuotedHashes(text: string): number {
  return Math.max(0, ...[...text.matchAll(/"(#*)/g)].map(([, hashes]) => hashes!.length));
}

/** Line feeds and tabs stand as they are, so that it can still be read. */
function ordinaryRust(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&");
  return `"${escaped.replace(UNPRINTABLES, (char) => `\\u{${hex(char)}}`)}"`;
}

function templateBody(text: string): string {
  const escaped = text.replace(/[\\`]|\$(?=\{)/g, "\\$&");
  return escaped.replace(UNPRINTABLES, (char) => `\\u{${hex(char)}}`);
}

function hex(char: string): string {
  return char.codePointAt(0)!.toString(16);
}

/** The kernels of these names, or all, each as the constant that the engine has for it. */
export function emitKernels(
  own: readonly OwnText[],
  twins: Twins,
  names: readonly string[],
  language: EmitLanguage,
): string[] {
  const unknown = names.filter((name) => !own.some((kernel) => kernel.name === name));
  if (unknown.length > 0) {
    throw new Failure(
      EXIT.usage,
      `Cannot print ${unknown.join(", ")}: there is no such kernel. There are: ` +
        `${own.map(({ name }) => name).join(", ")}.`,
    );
  }
  return own.filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ name, text }) => emit(language, constantName(twins, name, language), text));
}

/** The name that the engine already uses in that language, else one in its manner. */
function constantName({ kernels }: Twins, kernel: string, language: EmitLanguage): string {
  const ofLanguage = language === "rust" ? /\.rs$/ : /\.[cm]?[jt]sx?$/;
  const place = kernels[kernel]?.places.find(({ file }) => ofLanguage.test(file));
  return place?.name ?? (language === "rust" ? kernel : `${kernel}_WGSL`);
}
