/**
 * Texts in JavaScript and TypeScript: strings, template literals, and their concatenations.
 *
 * @module
 */
import type { Node } from "./grammars.ts";
import { addCooked } from "./javascript_strings.ts";
import { codeOf, type Dialect, locate, type Source } from "./reading.ts";
import type { TextBuilder } from "./value.ts";

export const JAVASCRIPT: Dialect = {
  naming: new Map([
    ["variable_declarator", ["name", "value"]],
    ["field_definition", ["property", "value"]],
    ["public_field_definition", ["name", "value"]],
    ["enum_assignment", ["name", "value"]],
    ["assignment_expression", ["left", "right"]],
    ["pair", ["key", "value"]],
  ]),
  texts: ["string", "template_string", "binary_expression", "call_expression"],
  containers: new Set([
    "array",
    "arrow_function",
    "class",
    "function_expression",
    "generator_function",
    "object",
  ]),
  // A type is no value.
  ignored: new Set(["literal_type", "template_literal_type", "type_annotation"]),
  literals: ["string", "template_string"],
  add: addText,
  describe(value) {
    if (value.type === "identifier") {
      return `it is another name for ${value.text}: name that one in kernels/twins.json`;
    }
    return `only running it can tell what its value is (${value.type.replaceAll("_", " ")})`;
  },
};

// Around a text they change nothing.
const TRANSPARENT = new Set([
  "parenthesized_expression",
  "as_expression",
  "satisfies_expression",
  "non_null_expression",
]);

function addText(node: Node, source: Source, to: TextBuilder): boolean {
  if (TRANSPARENT.has(node.type)) {
    const inner = codeOf(node)[0];
    return inner !== undefined && addText(inner, source, to);
  }
  switch (node.type) {
    case "type_assertion": // <string>`…`
      return addText(codeOf(node).at(-1)!, source, to);
    case "string":
      addString(node, source, to);
      return true;
    case "template_string":
      addTemplate(node, source, to, addCooked);
      return true;
    case "binary_expression":
      return addSum(node, source, to);
    case "call_expression":
      return addTagged(node, source, to);
    default:
      return false;
  }
}

function addString(node: Node, source: Source, to: TextBuilder): void {
  const { text } = node;
  const at = locate(node, source);
  if (text.length > 1 && text.endsWith(text[0]!)) addCooked(text.slice(1, -1), at, to);
  else to.addHole("its string has no end", at);
}

type AddPart = typeof addCooked;

const addRaw: AddPart = (body, at, to) => to.addVerbatim(body, at);

/** Adds a template: its parts between the substitutions, each of which is a hole. */
function addTemplate(node: Node, source: Source, to: TextBuilder, addPart: AddPart): void {
  const { text } = node;
  let from = locate(node, source);
  if (!text.endsWith("`")) return to.addHole("its template has no end", from);
  let start = 1; // after the backtick
  for (const hole of node.namedChildren) {
    if (hole.type !== "template_substitution") continue;
    addPart(text.slice(start, hole.startIndex - node.startIndex), from, to);
    to.addHole(`its template has ${shorten(hole.text)}`, locate(hole, source));
    start = hole.endIndex - node.startIndex;
    from = { file: source.file, line: hole.endPosition.row + 1 };
  }
  addPart(text.slice(start, -1), from, to);
}

/** Adds a tagged template; false for any other call. */
function addTagged(node: Node, source: Source, to: TextBuilder): boolean {
  const template = node.childForFieldName("arguments");
  if (template?.type !== "template_string") return false;
  const tag = node.childForFieldName("function")!.text;
  const raw = tag === "String.raw";
  addTemplate(template, source, to, raw ? addRaw : addCooked);
  // `wgsl` marks the language for editors, and returns its text. Whether with its escapes undone
  // or not is the tag's own choice.
  if (tag === "wgsl" && template.text.includes("\\")) {
    to.addHole("whether the tag wgsl undoes escapes is not known", locate(node, source));
  } else if (!raw && tag !== "wgsl") {
    to.addHole(`it passes through the tag ${shorten(tag)}`, locate(node, source));
  }
  return true;
}

/** Adds a sum of which a part is a text; false for a sum of numbers, or another operation. */
function addSum(node: Node, source: Source, to: TextBuilder): boolean {
  const operands: Node[] = [];
  let rest = node;
  // A sum of a thousand lines is a thousand levels deep on its left.
  while (rest.type === "binary_expression" && operatorOf(rest) === "+") {
    operands.push(rest.childForFieldName("right")!);
    rest = rest.childForFieldName("left")!;
  }
  operands.push(rest);
  if (operands.length === 1 || !operands.some(holdsText)) return false;
  for (const operand of operands.reverse()) {
    if (addText(operand, source, to)) continue;
    to.addHole(`${shorten(operand.text)} is added to it`, locate(operand, source));
  }
  return true;
}

function operatorOf(node: Node): string | undefined {
  return node.childForFieldName("operator")?.type;
}

function holdsText(node: Node): boolean {
  if (TRANSPARENT.has(node.type)) return codeOf(node).some(holdsText);
  if (node.type === "binary_expression") {
    return operatorOf(node) === "+" && codeOf(node).some(holdsText);
  }
  if (node.type === "call_expression") {
    return node.childForFieldName("arguments")?.type === "template_string";
  }
  return JAVASCRIPT.literals.includes(node.type);
}

function shorten(source: string): string {
  return source.length > 40 ? `${source.slice(0, 39)}…` : source;
}
