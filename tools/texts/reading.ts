/**
 * What the readers of the languages share.
 *
 * @module
 */
import type { Node } from "./grammars.ts";
import { isShader } from "./shader_mark.ts";
import {
  type Constant,
  HOLE,
  type Location,
  type OpenText,
  TextBuilder,
  type Value,
} from "./value.ts";

/** A source being read. */
export interface Source {
  /** From the top of the engine's checkout. */
  readonly file: string;
  readonly root: Node;
  /** Another file's text, byte for byte, or why there is none; `path` is relative to this file. */
  include(path: string): Included;
}

export type Included =
  | { readonly kind: "text"; readonly file: string; readonly text: string }
  | { readonly kind: "missing"; readonly reason: string };

/** How one language tells texts from other expressions. */
export interface Dialect {
  /** Nodes that name a value, and the fields of the name and of the value. */
  readonly naming: ReadonlyMap<string, readonly [name: string, value: string]>;
  /** Nodes that may be a text or a part of one. */
  readonly texts: readonly string[];
  /** Nodes that hold other code: the texts in them are read one by one. */
  readonly containers: ReadonlySet<string>;
  /** Texts in these are no values. */
  readonly ignored: ReadonlySet<string>;
  /** Adds a node's text to `to`, or returns false where the node is no text. */
  add(node: Node, source: Source, to: TextBuilder): boolean;
  /** The text of a literal alone, where it stands in an expression that is not understood. */
  readonly literals: readonly string[];
  /** Says of an expression that is no text what it is. */
  describe(value: Node): string;
}

/** Every constant of a source, and every shader that is in none. */
export function readConstants(source: Source, dialect: Dialect): Constant[] {
  const { root, file } = source;
  const found: Constant[] = [];
  let done = 0; // what stands before this index has been read
  for (const node of root.descendantsOfType([...dialect.naming.keys(), ...dialect.texts])) {
    if (node.startIndex < done) continue;
    const fields = dialect.naming.get(node.type);
    const name = fields && nameOf(node.childForFieldName(fields[0]));
    const expression = fields ? node.childForFieldName(fields[1]) : node;
    const value = expression && valueOf(node, expression, source, dialect) ||
      name !== undefined && expression?.text !== name && opaque(node, expression, dialect);
    if (!value) continue;
    if (expression && !isContainer(expression, dialect)) done = expression.endIndex;
    if (name !== undefined || (isShader(value.text) && !isIgnored(node, dialect))) {
      found.push({ file, line: lineOf(node), name, value });
    }
  }
  return found;
}

/** Undefined where `expression`, the value of `item` or itself the item, is no text. */
function valueOf(
  item: Node,
  expression: Node,
  source: Source,
  dialect: Dialect,
): Value | undefined {
  const text = new TextBuilder();
  if (!dialect.add(expression, source, text)) return undefined;
  if (isBroken(item, dialect)) text.addHole(BROKEN, locate(expression, source));
  return text.value();
}

/** The value of a named item that is no text, with what texts stand in it. */
function opaque(item: Node, value: Node | null, dialect: Dialect): OpenText | undefined {
  const broken = isBroken(item, dialect);
  if (!value && !broken) return undefined; // a declaration
  const inner = value && !isContainer(value, dialect) ? descendants(value, dialect.literals) : [];
  return {
    kind: "open",
    // So that a shader that a call makes is seen.
    text: inner.map(({ text }) => text.replace(/^[^"'`]*["'`]|["'`]#*$/g, "")).join(HOLE),
    reason: broken || !value ? BROKEN : dialect.describe(value),
  };
}

const BROKEN = "it cannot be parsed";

/** Inside a literal the grammar may be wrong about escapes: those are read by our own rules. */
function isBroken(item: Node, { literals }: Dialect): boolean {
  if (!item.hasError) return false;
  const read = descendants(item, literals);
  return descendants(item, ["ERROR"]).some((error) =>
    !read.some(({ startIndex, endIndex }) =>
      startIndex < error.startIndex && error.endIndex < endIndex
    )
  );
}

function isContainer(value: Node, { containers }: Dialect): boolean {
  return containers.has(value.type) || descendants(value, containers).length > 0;
}

function descendants(node: Node, types: Iterable<string>): Node[] {
  return node.descendantsOfType([...types]);
}

/** A variable's, a member's or a key's name; undefined for a pattern or a computed key. */
function nameOf(node: Node | null): string | undefined {
  if (!node) return undefined;
  if (node.type === "string") return node.text.slice(1, -1);
  if (node.type === "member_expression") return nameOf(node.childForFieldName("property"));
  return node.type.endsWith("identifier") ? node.text : undefined;
}

function isIgnored(node: Node, { ignored }: Dialect): boolean {
  for (let above = node.parent; above; above = above.parent) {
    if (ignored.has(above.type)) return true;
  }
  return false;
}

export function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

export function locate(node: Node, { file }: Source): Location {
  return { file, line: lineOf(node) };
}

/** The children that are code: comments may stand anywhere. */
export function codeOf(node: Node): Node[] {
  return node.namedChildren.filter((child) => !child.type.endsWith("comment"));
}
