/**
 * Which names of a function hold floats, and how many: as much of WGSL's types as that takes.
 *
 * @module
 */
import {
  type Declaration,
  type Expression,
  type FunctionDeclaration,
  statementsIn,
} from "../wgsl/syntax.ts";

/** Floats in a variable; `isOne` where it is a single one and takes no index. */
export interface Shape {
  readonly count: number;
  readonly isOne: boolean;
}

const ONE: Shape = { count: 1, isOne: true };
const VECTOR = /^vec([234])(?:f|<f32>)$/;
const ARRAY = /^array<f32,(\d+)u?>$/;
/** Built-in functions whose result is of their first argument's type. */
const LIKE_ARGUMENT =
  /^(?:select|fma|min|max|abs|sign|floor|ceil|round|sqrt|exp|exp2|log|log2|mix|clamp)$/;

/** The shape of a type as it is written; `undefined` where it holds no floats, or not only. */
export function shapeOfType(type: string): Shape | undefined {
  const plain = type.replaceAll(/\s+/g, "");
  if (plain === "f32") return ONE;
  const [, count] = VECTOR.exec(plain) ?? ARRAY.exec(plain) ?? [];
  return count === undefined ? undefined : { count: Number(count), isOne: false };
}

/** The names of one function. Where a name is declared twice its last declaration counts. */
export class FloatTypes {
  readonly #shapes = new Map<string, Shape>();
  readonly #returns = new Map<string, Shape>();

  constructor(declarations: readonly Declaration[], { parameters, body }: FunctionDeclaration) {
    for (const one of declarations) {
      if (one.kind === "variable") this.#set(one.name, shapeOfStored(one.type));
      if (one.kind === "function" && one.returns) {
        const shape = shapeOfType(one.returns);
        if (shape) this.#returns.set(one.name, shape);
      }
    }
    for (const { name, type } of parameters) this.#set(name, shapeOfType(type));
    for (const statement of statementsIn(body)) {
      if (statement.kind !== "declaration") continue;
      const { name, type, value } = statement;
      this.#set(name, type ? shapeOfType(type) : value && this.#shapeIn(value));
    }
  }

  shapeOf(name: string): Shape | undefined {
    return this.#shapes.get(name);
  }

  #set(name: string, shape: Shape | undefined): void {
    if (shape) this.#shapes.set(name, shape);
    else this.#shapes.delete(name);
  }

  #shapeIn(value: Expression): Shape | undefined {
    switch (value.kind) {
      case "literal":
        return isFloat(value.text) ? ONE : undefined;
      case "name":
        return this.#shapes.get(value.text);
      case "parentheses":
        return this.#shapeIn(value.inner);
      case "unary":
        return this.#shapeIn(value.operand);
      case "binary":
        return isArithmetic(value.operator)
          ? this.#shapeIn(value.left) ?? this.#shapeIn(value.right)
          : undefined;
      case "index":
      case "member":
        return this.#shapeIn(value.base) && ONE;
      case "call":
        return this.#shapeOfCall(value);
    }
  }

  #shapeOfCall({ callee, template, args }: Extract<Expression, { kind: "call" }>) {
    if (callee === "bitcast") return shapeOfType(template);
    const named = shapeOfType(template ? `${callee}<${template}>` : callee);
    if (named) return named;
    if (LIKE_ARGUMENT.test(callee)) return args[0] && this.#shapeIn(args[0]);
    return this.#returns.get(callee);
  }
}

/** Of a variable of the module: an array's elements count, however many they are. */
function shapeOfStored(type: string): Shape | undefined {
  const element = /^array<(.+?)(?:,[^<>]*)?>$/.exec(type.replaceAll(/\s+/g, ""))?.[1];
  return shapeOfType(element ?? type);
}

function isArithmetic(operator: string): boolean {
  return ["+", "-", "*", "/", "%"].includes(operator);
}

function isFloat(text: string): boolean {
  return /[.]|f$|p/i.test(text) && !/^0x[\da-f]+$/i.test(text) || /^\d+e/i.test(text);
}
