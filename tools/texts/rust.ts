/**
 * Texts in Rust: constants and statics of literals, `concat!` and `include_str!`.
 *
 * @module
 */
import type { Node } from "./grammars.ts";
import { codeOf, type Dialect, locate, type Source } from "./reading.ts";
import { addRawString, addString } from "./rust_strings.ts";
import { TextBuilder } from "./value.ts";

export const RUST: Dialect = {
  naming: new Map([
    ["const_item", ["name", "value"]],
    ["static_item", ["name", "value"]],
    ["let_declaration", ["pattern", "value"]],
  ]),
  texts: ["string_literal", "raw_string_literal", "macro_invocation"],
  containers: new Set(["array_expression", "block", "closure_expression", "struct_expression"]),
  // Documentation: `#[doc = "…"]`. A doc comment is no literal to begin with.
  ignored: new Set(["attribute_item", "inner_attribute_item"]),
  literals: ["string_literal", "raw_string_literal"],
  add: addText,
  describe(value) {
    if (value.type.endsWith("identifier")) {
      return `it is another name for ${value.text}: name that one in kernels/twins.json`;
    }
    return `only the compiler can tell what its value is (${value.type.replaceAll("_", " ")})`;
  },
};

function addText(node: Node, source: Source, to: TextBuilder): boolean {
  switch (node.type) {
    case "parenthesized_expression":
    case "reference_expression": {
      const inner = codeOf(node).at(-1);
      return inner !== undefined && addText(inner, source, to);
    }
    case "string_literal":
    case "raw_string_literal":
    case "char_literal":
      addLiteral(node, source, to);
      return true;
    case "macro_invocation": {
      const name = node.childForFieldName("macro")!.text;
      return addMacro(name, node.namedChildren.at(-1)!, source, to);
    }
    default:
      return false;
  }
}

function addLiteral(node: Node, source: Source, to: TextBuilder): void {
  const { text: literal } = node;
  const at = locate(node, source);
  // Bytes (b"…") and C strings (c"…") have other escapes and other types.
  if (/^[bc]/.test(literal)) to.addHole(`it is a byte or C string (${literal.slice(0, 2)}…)`, at);
  else if (!/["'#]$/.test(literal)) to.addHole("its literal has no end", at);
  else if (node.type === "raw_string_literal") addRawString(literal, at, to);
  else addString(literal, at, to);
}

/** Adds what a macro makes of the token tree `args`; false where it has nothing to do with texts. */
function addMacro(path: string, args: Node, source: Source, to: TextBuilder): boolean {
  const name = path.slice(path.lastIndexOf(":") + 1).trim();
  if (name === "concat") {
    for (const argument of splitArguments(args)) addArgument(argument, source, to);
    return true;
  }
  if (name === "include_str") {
    addIncluded(args, source, to);
    return true;
  }
  const texts = args.descendantsOfType([...RUST.literals]);
  if (texts.length === 0 && name !== "include_bytes") return false;
  to.addHole(`${name}! makes its text`, locate(args, source));
  // What goes in is read all the same, so that a shader that a macro makes is seen.
  for (const text of texts) addLiteral(text, source, to);
  return true;
}

/** The arguments of a macro, each as its tokens: a token tree is not parsed further. */
function splitArguments(args: Node): Node[][] {
  const lists: Node[][] = [[]];
  for (const token of args.children.slice(1, -1)) {
    if (token.type.endsWith("comment")) continue;
    if (token.type === ",") lists.push([]);
    else lists.at(-1)!.push(token);
  }
  return lists.filter((tokens) => tokens.length > 0);
}

function addArgument(tokens: readonly Node[], source: Source, to: TextBuilder): void {
  const last = tokens.at(-1)!;
  const at = locate(last, source);
  if (tokens.length === 1) {
    if (/^(?:raw_)?string_literal$|^char_literal$/.test(last.type)) {
      return addLiteral(last, source, to);
    }
    if (last.type === "boolean_literal") return to.add(last.text, at);
    const plain = /^\d+$/.exec(last.text); // other spellings of a number are the compiler's to say
    if (last.type === "integer_literal" && plain) return to.add(String(BigInt(last.text)), at);
  } else if (last.type === "token_tree" && tokens.at(-2)!.type === "!") {
    if (addMacro(tokens.at(-3)?.text ?? "", last, source, to)) return;
  }
  to.addHole(`concat! has the argument ${tokens.map(({ text }) => text).join("")}`, at);
}

function addIncluded(args: Node, source: Source, to: TextBuilder): void {
  const at = locate(args, source);
  const path = new TextBuilder();
  for (const argument of splitArguments(args)) addArgument(argument, source, path);
  const value = path.value();
  if (value.kind === "open") return to.addHole(`include_str! of a path that ${value.reason}`, at);
  const included = source.include(value.text);
  if (included.kind === "missing") return to.addHole(included.reason, at);
  to.addVerbatim(included.text, { file: included.file, line: 1 });
}
