/**
 * The parsers: tree-sitter with the grammars that its npm packages ship.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Language, type Node, Parser } from "web-tree-sitter";
// Nothing of these is used: importing them makes Deno fetch the packages that hold the grammars.
import "tree-sitter-javascript/package.json" with { type: "json" };
import "tree-sitter-rust/package.json" with { type: "json" };
import "tree-sitter-typescript/package.json" with { type: "json" };

export type { Node } from "web-tree-sitter";

const GRAMMARS = {
  rust: import.meta.resolve("tree-sitter-rust/tree-sitter-rust.wasm"),
  javascript: import.meta.resolve("tree-sitter-javascript/tree-sitter-javascript.wasm"),
  typescript: import.meta.resolve("tree-sitter-typescript/tree-sitter-typescript.wasm"),
  tsx: import.meta.resolve("tree-sitter-typescript/tree-sitter-tsx.wasm"),
};

export type Grammar = keyof typeof GRAMMARS;

/** Parses a source and hands its root to `read`; the tree does not outlive the call. */
export type Parse = <T>(grammar: Grammar, source: string, read: (root: Node) => T) => T;

const parsers = new Map<Grammar, Parser>();

/** Makes tree-sitter ready; each grammar is loaded when a source first needs it. */
export async function openParsers(): Promise<Parse> {
  await Parser.init();
  return parseWith;
}

const parseWith: Parse = (grammar, source, read) => {
  const tree = parserOf(grammar).parse(source)!;
  try {
    return read(tree.rootNode);
  } finally {
    tree.delete(); // it lives in the module's memory, which is not collected
  }
};

function parserOf(grammar: Grammar): Parser {
  const known = parsers.get(grammar);
  if (known) return known;
  const bytes = readFileSync(fileURLToPath(GRAMMARS[grammar]));
  const language = Language.loadSync(new WebAssembly.Module(new Uint8Array(bytes)));
  const parser = new Parser().setLanguage(language);
  parsers.set(grammar, parser);
  return parser;
}
