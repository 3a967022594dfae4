/**
 * A family's manifest: what each golden is, and where it came from.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

/** The version of the manifest's form; a reader refuses a later one. */
export const MANIFEST_FORMAT = 1;

/** What a manifest says of one golden. */
export interface GoldenEntry {
  readonly rows: number;
  readonly cols: number;
  /** Words in the file: fewer than rows · cols where the case's rows repeat. */
  readonly words: number;
  /** SHA-256 of the input's bytes. */
  readonly inputs: string;
  /** SHA-256 of the file. */
  readonly bits: string;
  /** Version of the family's generator that drew the input. */
  readonly generator: number;
  /** Name and version of the reference that computed the bits. */
  readonly reference: string;
  /** Why it last changed. */
  readonly reason: string;
}

/** Goldens by address. */
export type Manifest = ReadonlyMap<string, GoldenEntry>;

/**
 * Writes a manifest: one golden a line, ordered by address, so that a change reads as the lines it
 * changes and two branches that each add goldens seldom touch the same place.
 */
export function formatManifest(manifest: Manifest): string {
  const lines = [...manifest]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([address, entry]) => `    ${JSON.stringify(address)}: ${JSON.stringify(entry)}`);
  return `{\n  "format": ${MANIFEST_FORMAT},\n  "goldens": {\n${lines.join(",\n")}\n  }\n}\n`;
}

/**
 * Reads a manifest.
 *
 * @param file its name, for messages
 * @throws {Failure} when the text is not a manifest that this version understands
 */
export function parseManifest(text: string, file: string): Manifest {
  const refuse = (state: string, remedy: string) =>
    new Failure(EXIT.goldens, `Cannot read manifest ${file}: ${state} ${remedy}`);
  const conflict = text.split("\n").findIndex((line) => /^(<{7}|={7}|>{7})( |$)/.test(line));
  if (conflict >= 0) {
    throw refuse(
      `line ${conflict + 1} is an unresolved conflict marker.`,
      "Keep the lines of both sides, remove the markers, then run: deno task golden",
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`it is not JSON (${(error as Error).message}).`, "Restore it: git checkout it.");
  }
  if (!isRecord(value) || typeof value.format !== "number" || !isRecord(value.goldens)) {
    throw refuse("it has no format and goldens.", "Restore it from git.");
  }
  if (value.format > MANIFEST_FORMAT) {
    throw refuse(
      `its format is ${value.format}, and this version of samebits reads up to ${MANIFEST_FORMAT}.`,
      "Use the version of samebits that stands in the same commit.",
    );
  }
  const entries = Object.entries(value.goldens);
  const wrong = entries.find(([, entry]) => !isEntry(entry));
  if (wrong) throw refuse(`the entry of "${wrong[0]}" is not whole.`, "Restore it from git.");
  return new Map(entries as [string, GoldenEntry][]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ENTRY_TYPES: Readonly<Record<keyof GoldenEntry, string>> = {
  rows: "number",
  cols: "number",
  words: "number",
  inputs: "string",
  bits: "string",
  generator: "number",
  reference: "string",
  reason: "string",
};

function isEntry(value: unknown): value is GoldenEntry {
  return isRecord(value) &&
    Object.entries(ENTRY_TYPES).every(([name, type]) => typeof value[name] === type);
}
