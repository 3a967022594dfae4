/**
 * The syntax tree of a shader text. Every node knows where it stands, so that a change is made in
 * the text itself and leaves all else as it was written.
 *
 * @module
 */

/** A piece of the text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Expression =
  & Span
  & (
    | { readonly kind: "literal"; readonly text: string }
    | { readonly kind: "name"; readonly text: string }
    | { readonly kind: "parentheses"; readonly inner: Expression }
    | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
    | {
      readonly kind: "binary";
      readonly operator: string;
      readonly operatorAt: Span;
      readonly left: Expression;
      readonly right: Expression;
    }
    /** `callee` is the name; `template` what stands in `<…>`. */
    | {
      readonly kind: "call";
      readonly callee: string;
      readonly calleeAt: Span;
      readonly template: string;
      readonly args: readonly Expression[];
    }
    | { readonly kind: "index"; readonly base: Expression; readonly index: Expression }
    | {
      readonly kind: "member";
      readonly base: Expression;
      readonly member: string;
      readonly memberAt: Span;
    }
  );

export type Statement =
  & Span
  & (
    | { readonly kind: "block"; readonly statements: readonly Statement[] }
    | {
      readonly kind: "declaration";
      readonly keyword: string;
      readonly name: string;
      readonly type?: string;
      readonly value?: Expression;
    }
    | {
      readonly kind: "assignment";
      readonly target: Expression;
      readonly operator: string;
      readonly operatorAt: Span;
      readonly value: Expression;
    }
    | { readonly kind: "step"; readonly target: Expression; readonly operatorAt: Span }
    | { readonly kind: "call"; readonly call: Expression }
    | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly then: Statement;
      readonly otherwise?: Statement;
    }
    | {
      readonly kind: "for";
      readonly init?: Statement;
      readonly condition?: Expression;
      readonly update?: Statement;
      readonly body: Statement;
    }
    | { readonly kind: "while"; readonly condition: Expression; readonly body: Statement }
    /** Its `continuing` is a block inside the body. */
    | { readonly kind: "loop"; readonly body: Statement }
    | { readonly kind: "return"; readonly value?: Expression }
    | { readonly kind: "jump" }
  );

/** An attribute such as `@binding(0)`. */
export interface Attribute extends Span {
  readonly name: string;
  readonly args: readonly Expression[];
}

/** A parameter of a function. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly attributes: readonly Attribute[];
}

export type Declaration =
  & Span
  & { readonly name: string; readonly attributes: readonly Attribute[] }
  & (
    | { readonly kind: "variable"; readonly space: string; readonly type: string }
    | { readonly kind: "override"; readonly value?: Expression }
    | { readonly kind: "constant"; readonly value: Expression }
    | { readonly kind: "struct"; readonly members: readonly (Span & { readonly name: string })[] }
    | {
      readonly kind: "function";
      /** Behind the opening parenthesis. */
      readonly parametersAt: number;
      readonly parameters: readonly Parameter[];
      /** The type of its result. */
      readonly returns?: string;
      readonly body: Extract<Statement, { kind: "block" }>;
    }
  );

/** The declaration of a function. */
export type FunctionDeclaration = Extract<Declaration, { kind: "function" }>;

/** Expressions directly inside an expression. */
export function parts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "parentheses":
      return [expression.inner];
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "call":
      return expression.args;
    case "index":
      return [expression.base, expression.index];
    case "member":
      return [expression.base];
    default:
      return [];
  }
}

/** An expression and all inside it, outermost first, each with what it directly stands in. */
export function* expressionsIn(
  one: Expression,
  around: Expression = one,
): Generator<{ readonly one: Expression; readonly around: Expression }> {
  yield { one, around };
  for (const part of parts(one)) yield* expressionsIn(part, one);
}

/** A statement and all inside it, outermost first. */
export function* statementsIn(statement: Statement): Generator<Statement> {
  yield statement;
  for (const inner of innerStatements(statement)) yield* statementsIn(inner);
}

function innerStatements(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case "block":
      return statement.statements;
    case "if":
      return statement.otherwise ? [statement.then, statement.otherwise] : [statement.then];
    case "for":
      return [
        ...statement.init ? [statement.init] : [],
        ...statement.update ? [statement.update] : [],
        statement.body,
      ];
    case "while":
    case "loop":
      return [statement.body];
    default:
      return [];
  }
}

/** Expressions that stand in a statement itself, not in statements inside it. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "declaration":
    case "return":
      return statement.value ? [statement.value] : [];
    case "assignment":
      return [statement.target, statement.value];
    case "step":
      return [statement.target];
    case "call":
      return [statement.call];
    case "if":
    case "while":
      return [statement.condition];
    case "for":
      return statement.condition ? [statement.condition] : [];
    default:
      return [];
  }
}
