/**
 * Changes of a statement.
 *
 * @module
 */
import type { Span, Statement } from "../wgsl/syntax.ts";
import type { Change } from "./mutant.ts";

const change = (kind: string, shown: Span, at: Span, text: string): Change => ({
  kind,
  edits: [{ start: at.start, end: at.end, text }],
  shown: { start: shown.start, end: shown.end },
});

/** Every change of one statement, not of those inside it or of its expressions. */
export function statementChanges(one: Statement): readonly Change[] {
  switch (one.kind) {
    case "assignment":
      return one.operator === "=" ? [change("statement removed", one, one, "")] : [
        change("operator", one, one.operatorAt, "="),
        ...one.operator === "+=" ? [change("operator", one, one.operatorAt, "-=")] : [],
        ...one.operator === "-=" ? [change("operator", one, one.operatorAt, "+=")] : [],
      ];
    case "call":
      return [change("statement removed", one, one, "")];
    case "step":
      return [change("step", one, one.operatorAt, " += 2u")];
    case "if":
      return ["true", "false"].map((always) =>
        change("condition", one.condition, one.condition, `(${always})`)
      );
    case "for":
      return one.condition ? [change("loop removed", one.condition, one.condition, "false")] : [];
    default:
      return [];
  }
}
