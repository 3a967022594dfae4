/**
 * Changes of goldens as text.
 *
 * @module
 */
import type { WordKind } from "../../cases/mod.ts";
import { distanceText, thousands } from "../report/numbers.ts";
import type { Amount, Change } from "./changes.ts";
import type { GoldenProblem } from "./store.ts";

/** What would change in a family: the counts, then a line for each golden. */
export function changeLines(
  family: string,
  changes: readonly Change[],
  problems: readonly GoldenProblem[],
): string[] {
  const count = (kind: string) =>
    [...changes, ...problems].filter((one) => one.kind === kind).length;
  return [
    `${family}: ${count("new")} new, ${count("changed")} changed, ${count("orphaned")} orphaned, ` +
    `${count("damaged") + count("missing")} damaged`,
    ...changes.map(changeLine),
    ...problems.map(({ kind, message }) => line(kind, message)),
  ];
}

function changeLine(change: Change): string {
  const { address } = change.fresh.subject;
  if (change.kind === "new") return line("new", address);
  if (change.kind === "damaged") return line("damaged", change.message);
  const causes = [...change.inputs ? ["inputs"] : [], ...change.reference ? ["reference"] : []];
  return line(
    "changed",
    `${address}: ${causes.join(" and ")} changed; ${
      amountText(change.amount, change.fresh.subject.family.words)
    }`,
  );
}

function amountText({ of, changed, all, largestUlp }: Amount, kind: WordKind): string {
  const distance = largestUlp === undefined
    ? ""
    : `, by up to ${distanceText(largestUlp, kind === "u32")}`;
  return `${thousands(changed)} of ${thousands(all)} ${of} differ${distance}`;
}

function line(kind: string, text: string): string {
  return `  ${kind.padEnd(8)}  ${text}`;
}
