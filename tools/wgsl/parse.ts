/**
 * A parser of the part of WGSL that compute kernels are written in. What it does not know it
 * refuses; it never skips.
 *
 * @module
 */
import { Reader } from "./reader.ts";
import type { Attribute, Declaration, Statement } from "./syntax.ts";
import { parseExpression } from "./expressions.ts";

/** The declarations of a text, in order. @throws {WgslError} */
export function parseWgsl(text: string): Declaration[] {
  const reader = new Reader(text);
  const declarations: Declaration[] = [];
  while (!reader.atEnd()) {
    if (reader.accept(";")) continue;
    declarations.push(declaration(reader));
  }
  return declarations;
}

function attributes(reader: Reader): Attribute[] {
  const found: Attribute[] = [];
  while (reader.is("@")) {
    const start = reader.start();
    reader.expect("@");
    const name = reader.name();
    const args = reader.accept("(") ? reader.list(")", () => parseExpression(reader)) : [];
    found.push({ name, args, start, end: reader.lastEnd() });
  }
  return found;
}

function declaration(reader: Reader): Declaration {
  const start = reader.start();
  const marks = attributes(reader);
  const keyword = reader.name();
  const common = () => ({ attributes: marks, start, end: reader.lastEnd() });
  switch (keyword) {
    case "var": {
      const space = reader.is("<") ? reader.template() : "";
      const name = reader.name();
      reader.expect(":");
      const type = reader.type();
      if (reader.accept("=")) parseExpression(reader);
      reader.expect(";");
      return { kind: "variable", name, space, type, ...common() };
    }
    case "override":
    case "const": {
      const name = reader.name();
      if (reader.accept(":")) reader.type();
      const value = reader.accept("=") ? parseExpression(reader) : undefined;
      reader.expect(";");
      if (keyword === "const") return { kind: "constant", name, value: value!, ...common() };
      return { kind: "override", name, ...(value && { value }), ...common() };
    }
    case "struct": {
      const name = reader.name();
      reader.expect("{");
      const members = reader.list("}", () => {
        const memberStart = reader.start();
        attributes(reader);
        const member = reader.name();
        reader.expect(":");
        reader.type();
        return { name: member, start: memberStart, end: reader.lastEnd() };
      });
      return { kind: "struct", name, members, ...common() };
    }
    case "fn":
      return functionDeclaration(reader, common);
    default:
      throw reader.error(`a declaration, not "${keyword}"`);
  }
}

function functionDeclaration(
  reader: Reader,
  common: () => Pick<Declaration, "attributes" | "start" | "end">,
): Declaration {
  const name = reader.name();
  reader.expect("(");
  const parametersAt = reader.lastEnd();
  const parameters = reader.list(")", () => {
    const marks = attributes(reader);
    const parameter = reader.name();
    reader.expect(":");
    return { name: parameter, type: reader.type(), attributes: marks };
  });
  let returns: string | undefined;
  if (reader.accept("->")) {
    attributes(reader);
    returns = reader.type();
  }
  const body = block(reader);
  return {
    kind: "function",
    name,
    parametersAt,
    parameters,
    ...(returns && { returns }),
    body,
    ...common(),
  };
}

function block(reader: Reader): Extract<Statement, { kind: "block" }> {
  const start = reader.start();
  reader.expect("{");
  const statements: Statement[] = [];
  while (!reader.is("}")) {
    if (!reader.accept(";")) statements.push(statement(reader));
  }
  reader.expect("}");
  return { kind: "block", statements, start, end: reader.lastEnd() };
}

function statement(reader: Reader): Statement {
  const start = reader.start();
  const span = () => ({ start, end: reader.lastEnd() });
  if (reader.is("{")) return block(reader);
  if (reader.acceptName("if")) return branch(reader, start);
  if (reader.acceptName("for")) return loop(reader, start);
  if (reader.acceptName("while")) {
    const condition = parseExpression(reader);
    const body = block(reader);
    return { kind: "while", condition, body, ...span() };
  }
  if (reader.acceptName("loop")) {
    const body = block(reader);
    return { kind: "loop", body, ...span() };
  }
  if (reader.acceptName("continuing")) return block(reader);
  if (reader.acceptName("return")) {
    const value = reader.is(";") ? undefined : parseExpression(reader);
    reader.expect(";");
    return { kind: "return", ...(value && { value }), ...span() };
  }
  if (reader.acceptName("break") || reader.acceptName("continue")) {
    if (reader.acceptName("if")) parseExpression(reader);
    reader.expect(";");
    return { kind: "jump", ...span() };
  }
  const simple = simpleStatement(reader);
  reader.expect(";");
  return { ...simple, ...span() };
}

function branch(reader: Reader, start: number): Statement {
  const condition = parseExpression(reader);
  const then = block(reader);
  let otherwise: Statement | undefined;
  if (reader.acceptName("else")) {
    const elseStart = reader.start();
    otherwise = reader.acceptName("if") ? branch(reader, elseStart) : block(reader);
  }
  return {
    kind: "if",
    condition,
    then,
    ...(otherwise && { otherwise }),
    start,
    end: reader.lastEnd(),
  };
}

function loop(reader: Reader, start: number): Statement {
  reader.expect("(");
  const init = reader.is(";") ? undefined : simpleStatement(reader);
  reader.expect(";");
  const condition = reader.is(";") ? undefined : parseExpression(reader);
  reader.expect(";");
  const update = reader.is(")") ? undefined : simpleStatement(reader);
  reader.expect(")");
  const body = block(reader);
  return {
    kind: "for",
    ...(init && { init }),
    ...(condition && { condition }),
    ...(update && { update }),
    body,
    start,
    end: reader.lastEnd(),
  };
}

const ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/** A statement without its semicolon, as it may stand in the head of a `for`. */
function simpleStatement(reader: Reader): Statement {
  const start = reader.start();
  for (const keyword of ["let", "var", "const"]) {
    if (!reader.acceptName(keyword)) continue;
    if (reader.is("<")) reader.template();
    const name = reader.name();
    const type = reader.accept(":") ? reader.type() : undefined;
    const value = reader.accept("=") ? parseExpression(reader) : undefined;
    return {
      kind: "declaration",
      keyword,
      name,
      ...(type !== undefined && { type }),
      ...(value && { value }),
      start,
      end: reader.lastEnd(),
    };
  }
  const target = parseExpression(reader);
  const operatorAt = reader.span();
  if (reader.accept("++") || reader.accept("--")) {
    return { kind: "step", target, operatorAt, start, end: reader.lastEnd() };
  }
  const operator = ASSIGNMENTS.find((one) => reader.accept(one));
  if (operator) {
    const value = parseExpression(reader);
    return {
      kind: "assignment",
      target,
      operator,
      operatorAt,
      value,
      start,
      end: reader.lastEnd(),
    };
  }
  if (target.kind === "call") {
    return { kind: "call", call: target, start, end: reader.lastEnd() };
  }
  throw reader.error("a statement");
}
