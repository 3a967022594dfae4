/**
 * Parsing expressions, by the precedence of their operators.
 *
 * @module
 */
import type { Reader } from "./reader.ts";
import type { Expression } from "./syntax.ts";

/** From the loosest to the tightest. WGSL demands parentheses where the order would surprise. */
const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/** Names that take a template before their arguments. */
const TEMPLATED = /^(?:array|bitcast|vec[234]|mat[234]x[234]|ptr|atomic)$/;

export function parseExpression(reader: Reader): Expression {
  return binary(reader, 0);
}

function binary(reader: Reader, level: number): Expression {
  if (level === LEVELS.length) return unary(reader);
  let left = binary(reader, level + 1);
  for (;;) {
    const operatorAt = reader.span();
    const operator = LEVELS[level]!.find((one) => reader.accept(one));
    if (!operator) return left;
    const right = binary(reader, level + 1);
    const span = { start: left.start, end: right.end };
    left = { kind: "binary", operator, operatorAt, left, right, ...span };
  }
}

function unary(reader: Reader): Expression {
  const start = reader.start();
  const operator = ["-", "!", "~", "&", "*"].find((one) => reader.accept(one));
  if (!operator) return postfix(reader);
  const operand = unary(reader);
  return { kind: "unary", operator, operand, start, end: operand.end };
}

function postfix(reader: Reader): Expression {
  const start = reader.start();
  let base = primary(reader);
  for (;;) {
    if (reader.accept("[")) {
      const index = parseExpression(reader);
      reader.expect("]");
      base = { kind: "index", base, index, start, end: reader.lastEnd() };
    } else if (reader.accept(".")) {
      const memberAt = reader.span();
      const member = reader.name();
      base = { kind: "member", base, member, memberAt, start, end: reader.lastEnd() };
    } else {
      return base;
    }
  }
}

function primary(reader: Reader): Expression {
  const at = reader.span();
  if (reader.accept("(")) {
    const inner = parseExpression(reader);
    reader.expect(")");
    return { kind: "parentheses", inner, start: at.start, end: reader.lastEnd() };
  }
  const text = reader.acceptNumber();
  if (text !== undefined) return { kind: "literal", text, ...at };
  const name = reader.name();
  if (name === "true" || name === "false") return { kind: "literal", text: name, ...at };
  const template = TEMPLATED.test(name) && reader.is("<") ? reader.template() : "";
  if (!reader.accept("(")) return { kind: "name", text: name, ...at };
  const args = reader.list(")", () => parseExpression(reader));
  return {
    kind: "call",
    callee: name,
    calleeAt: at,
    template,
    args,
    start: at.start,
    end: reader.lastEnd(),
  };
}
