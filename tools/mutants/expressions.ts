/**
 * Changes of an expression.
 *
 * @module
 */
import type { Expression, Span } from "../wgsl/syntax.ts";
import type { Change } from "./mutant.ts";

/** @param around what the expression stands in, which shows small ones better */
type Mutator = (
  expression: Expression,
  source: (span: Span) => string,
  around: Span,
) => readonly Change[];

/** What an operator may be taken for. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["+"],
  "/": ["*"],
  "%": ["/"],
  "<<": [">>"],
  ">>": ["<<"],
  "&": ["|"],
  "|": ["&"],
  "^": ["|"],
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
};

/** A function in whose place another could have been called. */
const CALLS: Readonly<Record<string, string>> = { min: "max", max: "min" };

/** A member in whose place another of the same type could have been named. */
const MEMBERS: Readonly<Record<string, string>> = {
  sum: "error",
  error: "sum",
  rows: "cols",
  cols: "rows",
  nb: "cols",
  n: "rows",
  x: "y",
  y: "x",
};

const replace = (kind: string, shown: Span, at: Span, text: string): Change => ({
  kind,
  edits: [{ start: at.start, end: at.end, text }],
  shown: { start: shown.start, end: shown.end },
});

const operators: Mutator = (one) =>
  one.kind === "binary"
    ? (OPERATORS[one.operator] ?? []).map((other) =>
      replace("operator", one, one.operatorAt, other)
    )
    : [];

/** One more and one less; a factor that is a power of two doubled. */
const constants: Mutator = (one, _source, around) => {
  if (one.kind !== "literal") return [];
  return otherLiterals(one.text).map((text) => replace("constant", around, one, text));
};

function otherLiterals(text: string): string[] {
  if (text === "true" || text === "false") return [text === "true" ? "false" : "true"];
  const power = /^0x1p(-?\d+)f?$/.exec(text);
  if (power) return [text.replace(/p-?\d+/, `p${Number(power[1]) + 1}`)];
  if (/[.]/.test(text)) return [Number.parseFloat(text) === 0 ? "1.0" : "0.0"];
  const whole = /^(0x[\da-f]+|\d+)([iu]?)$/i.exec(text);
  if (!whole) return [];
  const value = Number(whole[1]);
  const suffix = whole[2]!;
  const write = (n: number) =>
    whole[1]!.startsWith("0x") ? `0x${n.toString(16)}${suffix}` : `${n}${suffix}`;
  return [
    ...value < 0xffffffff ? [write(value + 1)] : [],
    ...value > 0 ? [write(value - 1)] : [],
  ];
}

const signs: Mutator = (one) =>
  one.kind === "unary" && (one.operator === "-" || one.operator === "!")
    ? [replace("sign", one, { start: one.start, end: one.operand.start }, "")]
    : [];

/** `>>` brings in the sign or zeros by its left side's type; the wrong one does not compile. */
const shiftTypes: Mutator = (one, source) => {
  if (one.kind !== "binary" || one.operator !== ">>") return [];
  const [left, right] = [source(one.left), source(one.right)];
  return [["i32", "u32"], ["u32", "i32"]].map(([outer, inner]) =>
    replace("shift type", one, one, `bitcast<${outer}>(bitcast<${inner}>(${left}) >> ${right})`)
  );
};

/** (a + b) + (c + d) as (a + c) + (b + d). */
const sumOrder: Mutator = (one, source) => {
  if (one.kind !== "binary" || one.operator !== "+") return [];
  const [left, right] = [sumIn(one.left), sumIn(one.right)];
  if (!left || !right) return [];
  return [{
    kind: "order of a sum",
    edits: [
      { start: left.right.start, end: left.right.end, text: source(right.left) },
      { start: right.left.start, end: right.left.end, text: source(left.right) },
    ],
    shown: { start: one.start, end: one.end },
  }];
};

function sumIn(one: Expression): Extract<Expression, { kind: "binary" }> | undefined {
  if (one.kind !== "parentheses" || one.inner.kind !== "binary") return undefined;
  return one.inner.operator === "+" ? one.inner : undefined;
}

const calls: Mutator = (one, source) => {
  if (one.kind !== "call") return [];
  const args = one.args.map(source);
  const whole = (kind: string, text: string) => replace(kind, one, one, text);
  switch (one.callee) {
    case "select":
      return [whole("select arms", `select(${args[1]}, ${args[0]}, ${args[2]})`)];
    case "hide":
      return [whole("hide removed", `(${args[0]})`)];
    case "fma_exact":
      return [
        whole("built fma replaced", `(${args[0]} * ${args[1]} + ${args[2]})`),
        whole("built fma replaced", `fma(${args.join(", ")})`),
        whole("built fma replaced", `${one.callee}(${args[1]}, ${args[0]}, ${args[2]})`),
      ];
    case "two_sum":
      return [
        whole("rounding error dropped", `Exact(${args[0]} + ${args[1]}, 0.0)`),
        whole("arguments turned", `two_sum(${args[1]}, ${args[0]})`),
      ];
    default:
      return Object.hasOwn(CALLS, one.callee)
        ? [replace("function", one, one.calleeAt, CALLS[one.callee]!)]
        : [];
  }
};

const members: Mutator = (one, _source, around) =>
  one.kind === "member" && Object.hasOwn(MEMBERS, one.member)
    ? [replace("member", around, one.memberAt, MEMBERS[one.member]!)]
    : [];

/** An index that is a whole expression: the next element. Literals are the constants' affair. */
const indices: Mutator = (one, source) =>
  one.kind === "index" && one.index.kind !== "literal"
    ? [replace("index", one, one.index, `(${source(one.index)}) + 1u`)]
    : [];

const MUTATORS = [
  operators,
  constants,
  signs,
  shiftTypes,
  sumOrder,
  calls,
  members,
  indices,
];

/** Every change of one expression, not of those inside it. */
export const expressionChanges: Mutator = (one, source, around) =>
  MUTATORS.flatMap((mutator) => mutator(one, source, around));
