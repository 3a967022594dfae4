/**
 * A record as its file holds it.
 *
 * @module
 */
import type { SavedRecord } from "./record.ts";

/** Lists whose entries each get a line, so that a person finds one and a diff shows one. */
const LISTS: ReadonlySet<string> = new Set(["results", "diagnoses", "problems"]);

/** JSON, a field or an entry of a list a line, and no other blanks. */
export function recordText(record: SavedRecord): string {
  return `${objectText(record)}\n`;
}

function objectText(record: object): string {
  const fields = Object.entries(record)
    .map(([name, value]) => `${JSON.stringify(name)}:${valueText(name, value)}`);
  return `{\n${fields.join(",\n")}\n}`;
}

function valueText(name: string, value: unknown): string {
  if (name === "runs") return linesText((value as SavedRecord[]).map(objectText));
  if (LISTS.has(name)) return linesText((value as unknown[]).map((one) => JSON.stringify(one)));
  return JSON.stringify(value);
}

function linesText(entries: readonly string[]): string {
  return entries.length === 0 ? "[]" : `[\n${entries.join(",\n")}\n]`;
}
