/**
 * A profile as text.
 *
 * @module
 */
import type { Known, Profile } from "../profile/profile.ts";

/** Rules shown of a changed profile before the rest is only counted. */
const RULES_SHOWN = 12;

/** Is the adapter a known one? For the head of a run; the rules that changed, if any did. */
export function recognitionLines({ key }: Profile, known: Known): string[] {
  if (known.kind === "same") return [`profile  ${key} (known)`];
  if (known.kind === "unknown") {
    return [`profile  ${key} (not known yet; keep it: deno task profile --accept)`];
  }
  const shown = known.rules.slice(0, RULES_SHOWN);
  return [
    `profile  ${key}`,
    `         CHANGED: this adapter is known with other arithmetic (${known.nearest.key}):`,
    ...shown.map(({ rule, before, now }) =>
      `           ${rule}: was ${before ?? "not asked"}, is ${now ?? "not asked any more"}`
    ),
    ...known.rules.length > shown.length
      ? [`           and ${known.rules.length - shown.length} rules more`]
      : [],
    "         A driver update does this. What fails below may come from it. Keep the new profile:",
    "         deno task profile --accept",
  ];
}

/** Every rule, with what was asked. */
export function rulesTable(
  { rules }: Profile,
  questions: ReadonlyMap<string, string>,
): string[] {
  return Object.entries(rules).map(([rule, answer]) =>
    `${rule.padEnd(30)} ${String(answer).padEnd(20)} ${questions.get(rule) ?? ""}`.trimEnd()
  );
}
