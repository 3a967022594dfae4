/**
 * Every shader text of the engine's sources: Rust, JavaScript, TypeScript and WGSL files.
 *
 * @module
 */
import { posix } from "node:path";
import { decodeFile, withoutBom } from "./decode.ts";
import type { EngineFiles } from "./engine.ts";
import type { Grammar, Node, Parse } from "./grammars.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { type Dialect, type Included, lineOf, readConstants } from "./reading.ts";
import { RUST } from "./rust.ts";
import { mayHoldText } from "./shader_mark.ts";
import { type Constant, type Location, TextBuilder } from "./value.ts";

export interface EngineTexts {
  readonly constants: readonly Constant[];
  /** What could not be read, and may hold a text that matters. */
  readonly unreadable: readonly Unreadable[];
  /** Files whose bytes are not quite the text that their compiler sees. */
  readonly oddities: ReadonlyMap<string, string>;
  /** How many sources were looked at. */
  readonly files: number;
}

export interface Unreadable extends Location {
  readonly reason: string;
}

const GRAMMAR_OF: ReadonlyMap<string, readonly [Grammar, Dialect]> = new Map([
  [".rs", ["rust", RUST]],
  [".js", ["javascript", JAVASCRIPT]],
  [".mjs", ["javascript", JAVASCRIPT]],
  [".cjs", ["javascript", JAVASCRIPT]],
  [".jsx", ["javascript", JAVASCRIPT]],
  [".ts", ["typescript", JAVASCRIPT]],
  [".mts", ["typescript", JAVASCRIPT]],
  [".cts", ["typescript", JAVASCRIPT]],
  [".tsx", ["tsx", JAVASCRIPT]],
]);

/** Reads the engine's texts; constants of these names are found whether they are shaders or not. */
export function extractTexts(
  engine: EngineFiles,
  names: Iterable<string>,
  parse: Parse,
): EngineTexts {
  const reader = new Reader(engine, mayHoldText(names), parse);
  for (const file of engine.list()) reader.read(file);
  return reader;
}

class Reader implements EngineTexts {
  readonly constants: Constant[] = [];
  readonly unreadable: Unreadable[] = [];
  readonly oddities = new Map<string, string>();
  files = 0;

  constructor(
    private readonly engine: EngineFiles,
    private readonly mayHold: (source: string) => boolean,
    private readonly parse: Parse,
  ) {}

  read(file: string): void {
    const extension = posix.extname(file);
    const language = GRAMMAR_OF.get(extension);
    if (!language && extension !== ".wgsl") return;
    const bytes = this.engine.read(file);
    if (!bytes) return;
    this.files++;
    const decoded = decodeFile(bytes);
    if ("bad" in decoded) return this.#noteBadBytes(file, bytes, decoded.bad);
    if (!language) return this.#addFile(file, decoded.text);
    if (!this.mayHold(decoded.text)) return;
    if (decoded.bom || decoded.crlf) {
      const what = [...decoded.bom ? ["a byte order mark"] : [], ...decoded.crlf ? ["CR LF"] : []];
      this.oddities.set(file, what.join(" and "));
    }
    // Compilers of both languages drop the mark and read CR LF as LF, in literals too.
    const source = withoutBom(decoded.text).replaceAll("\r\n", "\n");
    const [grammar, dialect] = language;
    this.parse(grammar, source, (root) => {
      const include = (path: string) => this.#include(file, path);
      this.constants.push(...readConstants({ file, root, include }, dialect));
      this.#noteErrors(file, root, source);
    });
  }

  #addFile(file: string, text: string): void {
    const whole = new TextBuilder();
    whole.addVerbatim(text, { file, line: 1 });
    this.constants.push({ file, line: 1, name: undefined, value: whole.value() });
  }

  /** A file with zero bytes may be UTF-16, in which the quick look sees nothing. */
  #noteBadBytes(file: string, bytes: Uint8Array, reason: string): void {
    const seen = this.mayHold(new TextDecoder().decode(bytes));
    const isWgsl = posix.extname(file) === ".wgsl";
    if (seen || isWgsl || bytes.includes(0)) this.unreadable.push({ file, line: 1, reason });
  }

  #noteErrors(file: string, root: Node, source: string): void {
    if (!root.hasError) return;
    for (const error of root.descendantsOfType("ERROR")) {
      // With what stands before it on its line, where the name of a constant is.
      const start = source.lastIndexOf("\n", error.startIndex) + 1;
      if (!this.mayHold(source.slice(start, error.endIndex))) continue;
      const reason = "it cannot be parsed from here on, and what follows may be a shader";
      this.unreadable.push({ file, line: lineOf(error), reason });
      return;
    }
  }

  #include(from: string, path: string): Included {
    const file = posix.normalize(posix.join(posix.dirname(from), path));
    if (posix.isAbsolute(path) || file.startsWith("../")) {
      return { kind: "missing", reason: `it includes ${path}, which leads out of the engine` };
    }
    const bytes = this.engine.read(file);
    if (!bytes) return { kind: "missing", reason: `it includes ${file}, which is not there` };
    const decoded = decodeFile(bytes);
    if ("bad" in decoded) return { kind: "missing", reason: `it includes ${file}: ${decoded.bad}` };
    return { kind: "text", file, text: decoded.text };
  }
}
