/**
 * What a check needs of an adapter's arithmetic, held against its rules.
 *
 * @module
 */
import type { RuleNeed } from "../../cases/family.ts";
import { UNLIMITED } from "./loops.ts";
import type { Rules } from "./measure.ts";

/** Why the adapter's rules do not allow the check, naming the rule; `undefined` where they do. */
export function brokenRule(
  rules: Rules,
  needs: readonly RuleNeed[],
  rounds: number,
): string | undefined {
  for (const { rule, answer, why } of needs) {
    const found = rules[rule];
    if (found !== undefined && found !== answer) {
      return `needs the rule ${rule}: ${answer}; this adapter's profile says ${found} (${why})`;
    }
  }
  const most = rules.loop_rounds ?? UNLIMITED;
  if (typeof most === "number" && rounds > most) {
    const number = (n: number) => n.toLocaleString("en-US");
    return `needs ${number(rounds)} rounds of loops in an invocation; this adapter stops after ` +
      `${number(most)} (rule loop_rounds)`;
  }
  return undefined;
}
