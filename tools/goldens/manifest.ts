/**
 * A family's manifest: what each golden is, and where it came from.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { badEntry, type GoldenEntry, orderedEntry } from "./entry.ts";

/** The version of the manifest's form. 2: strips, models, the reference's module. */
export const MANIFEST_FORMAT = 2;

/** Goldens by address. */
export type Manifest = ReadonlyMap<string, GoldenEntry>;

/**
 * Writes a manifest: one golden a line, ordered by address, so that a change reads as the lines it
 * changes and two branches that each add goldens seldom touch the same place.
 */
export function formatManifest(manifest: Manifest): string {
  const lines = [...manifest]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([address, entry]) =>
      `    ${JSON.stringify(address)}: ${JSON.stringify(orderedEntry(entry))}`
    );
  return `{\n  "format": ${MANIFEST_FORMAT},\n  "goldens": {\n${lines.join(",\n")}\n  }\n}\n`;
}

const RESTORE = "Restore it: git checkout -- golden";

/**
 * Reads a manifest.
 *
 * @param file its name, for messages
 * @throws {Failure} when the text is not a manifest that this version understands
 */
export function parseManifest(text: string, file: string): Manifest {
  const refuse = (state: string, remedy: string) =>
    new Failure(EXIT.goldens, `Cannot read manifest ${file}: ${state} ${remedy}`);
  if (text === "") throw refuse("the file is empty.", RESTORE);
  if (text.startsWith("version https://git-lfs")) {
    throw refuse("the file is a Git LFS pointer.", "Run git lfs pull.");
  }
  const conflict = text.split("\n")
    .findIndex((line) => /^(<{7}|\|{7}|={7}|>{7})( |\r?$)/.test(line));
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
    throw refuse(
      `it is not JSON (${(error as Error).message}).`,
      `If it was merged, look for a missing or extra comma. ${RESTORE}`,
    );
  }
  if (!isRecord(value) || typeof value.format !== "number" || !isRecord(value.goldens)) {
    throw refuse("it has no format and goldens.", RESTORE);
  }
  if (value.format !== MANIFEST_FORMAT) {
    const age = value.format > MANIFEST_FORMAT ? "a newer" : "an older";
    throw refuse(
      `its format is ${value.format}, that of ${age} version of samebits; this one reads ` +
        `${MANIFEST_FORMAT}.`,
      "Use samebits and goldens of the same commit.",
    );
  }
  const twice = firstTwice([...text.matchAll(/^ {4}"([^"]+)": \{/gm)].map((match) => match[1]!));
  if (twice !== undefined) {
    throw refuse(`"${twice}" stands twice, as after a merge.`, "Keep the right one.");
  }
  for (const [address, entry] of Object.entries(value.goldens)) {
    const bad = badEntry(entry);
    if (bad) throw refuse(`the entry of "${address}" has no valid "${bad}".`, RESTORE);
  }
  return new Map(Object.entries(value.goldens) as [string, GoldenEntry][]);
}

function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, i) => names.indexOf(name) < i);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
