/**
 * Every mutant of a kernel.
 *
 * @module
 */
import type { Kernel } from "../../kernels/kernel.ts";
import { parseWgsl } from "../wgsl/parse.ts";
import {
  expressionsIn,
  expressionsOf,
  type FunctionDeclaration,
  type Span,
  statementsIn,
} from "../wgsl/syntax.ts";
import { declarationChanges } from "./declarations.ts";
import { expressionChanges } from "./expressions.ts";
import { type Change, type Mutant, named } from "./mutant.ts";
import { statementChanges } from "./statements.ts";

/**
 * The mutants of the kernel's text, in the order of the text. An override's default is left alone:
 * every run sets the constant.
 *
 * @throws {WgslError} where the text holds what the parser does not know
 */
export function mutantsOf({ name, text }: Pick<Kernel, "name" | "text">): Mutant[] {
  const declarations = parseWgsl(text);
  const source = ({ start, end }: Span) => text.slice(start, end);
  const inFunctions = declarations.filter((one) => one.kind === "function").flatMap((one) =>
    functionChanges(one, source).map((change) => ({ place: one.name, change }))
  );
  return named(name, text, [...declarationChanges(declarations, source), ...inFunctions]);
}

function functionChanges(
  { body }: FunctionDeclaration,
  source: (span: Span) => string,
): Change[] {
  return [...statementsIn(body)].flatMap((statement) => [
    ...statementChanges(statement),
    ...expressionsOf(statement).flatMap((whole) =>
      [...expressionsIn(whole)].flatMap(({ one, around }) => expressionChanges(one, source, around))
    ),
  ]);
}
