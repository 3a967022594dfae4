/**
 * Which variables of a text hold its sums: found by where they are declared and where they are
 * changed, so that their names do not matter.
 *
 * @module
 */
import {
  type Declaration,
  type Expression,
  expressionsIn,
  expressionsOf,
  type FunctionDeclaration,
  type Statement,
} from "../wgsl/syntax.ts";
import { FloatTypes, type Shape } from "./float_types.ts";

type Assignment = Extract<Statement, { kind: "assignment" }>;

/** A local variable of floats that loops add to. */
export interface Accumulator {
  readonly name: string;
  readonly shape: Shape;
  /** Loops around its declaration, those of callers among them. */
  readonly depth: number;
  readonly assignments: readonly Assignment[];
  /** It is changed in a loop that it outlives. */
  readonly outlives: boolean;
}

/** The sums over blocks, and those over a block's sub-blocks; of each as many as the text has. */
export interface Roles {
  readonly overBlocks: readonly Accumulator[];
  readonly overSubBlocks: readonly Accumulator[];
}

/**
 * Of the variables that outlive a loop which changes them, those outside most loops are the sums
 * over blocks. Of the variables inside that loop, the outermost are the sums over sub-blocks.
 *
 * @returns a reason where there is none
 */
export function rolesIn(declarations: readonly Declaration[]): Roles | string {
  const all = accumulators(declarations);
  const lasting = all.filter(({ outlives }) => outlives);
  if (lasting.length === 0) return "no variable of floats is found that a loop adds to";
  const depth = Math.min(...lasting.map((one) => one.depth));
  const inner = all.filter((one) => one.depth > depth);
  const innerDepth = Math.min(...inner.map((one) => one.depth));
  return {
    overBlocks: lasting.filter((one) => one.depth === depth),
    overSubBlocks: inner.filter((one) => one.depth === innerDepth),
  };
}

function accumulators(declarations: readonly Declaration[]): Accumulator[] {
  const functions = declarations.filter((one) => one.kind === "function");
  const depths = depthsOf(functions);
  return functions.flatMap((one) => {
    const around = depths.get(one.name);
    return around === undefined ? [] : accumulatorsIn(one, around, declarations);
  });
}

function accumulatorsIn(
  one: FunctionDeclaration,
  around: number,
  declarations: readonly Declaration[],
): Accumulator[] {
  const statements = [...withDepth(one.body, around)];
  const types = new FloatTypes(declarations, one);
  return statements.flatMap(({ statement, depth }) => {
    if (statement.kind !== "declaration" || statement.keyword !== "var") return [];
    const shape = types.shapeOf(statement.name);
    if (!shape) return [];
    const changes = statements.filter((other) =>
      other.statement.kind === "assignment" && rootOf(other.statement.target) === statement.name
    );
    return [{
      name: statement.name,
      shape,
      depth,
      assignments: changes.map((change) => change.statement as Assignment),
      outlives: changes.some((change) => change.depth > depth),
    }];
  }).filter(({ assignments }) => assignments.length > 0);
}

/** Loops around each function that `main` reaches, at the innermost place that calls it. */
function depthsOf(functions: readonly FunctionDeclaration[]): Map<string, number> {
  const depths = new Map<string, number>();
  const visit = (name: string, around: number) => {
    const one = functions.find((other) => other.name === name);
    if (!one || (depths.get(name) ?? -1) >= around) return;
    depths.set(name, around);
    for (const { statement, depth } of withDepth(one.body, around)) {
      for (const called of callsIn(statement)) visit(called, depth);
    }
  };
  visit("main", 0); // WGSL forbids recursion, so that this ends
  return depths;
}

function callsIn(statement: Statement): string[] {
  return expressionsOf(statement).flatMap((whole) =>
    [...expressionsIn(whole)].flatMap(({ one }) => one.kind === "call" ? [one.callee] : [])
  );
}

/** Statements with the loops around them; a loop's own head counts as outside of it. */
function* withDepth(
  statement: Statement,
  depth: number,
): Generator<{ readonly statement: Statement; readonly depth: number }> {
  yield { statement, depth };
  switch (statement.kind) {
    case "block":
      for (const inner of statement.statements) yield* withDepth(inner, depth);
      break;
    case "if":
      yield* withDepth(statement.then, depth);
      if (statement.otherwise) yield* withDepth(statement.otherwise, depth);
      break;
    case "for":
    case "while":
    case "loop":
      yield* withDepth(statement.body, depth + 1);
  }
}

/** The variable that a target is a part of. */
export function rootOf(target: Expression): string | undefined {
  switch (target.kind) {
    case "name":
      return target.text;
    case "parentheses":
      return rootOf(target.inner);
    case "index":
    case "member":
      return rootOf(target.base);
    default:
      return undefined;
  }
}
