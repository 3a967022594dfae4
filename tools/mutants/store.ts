/**
 * The folder of mutants' fates: `golden/mutants/<adapter>.json`, one for each adapter.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { namesIn } from "../goldens/files.ts";
import { fileNameOf } from "../profile/profile.ts";
import { MUTANTS_FORMAT, type MutantsRecord, recordText } from "./record.ts";

/** The repository's own. */
export const MUTANT_FOLDER: URL = new URL("../../golden/mutants/", import.meta.url);
const PROOFS = "equivalent.json";
/** Where the proofs of equivalence stand. */
export const PROOF_FILE: URL = new URL(PROOFS, MUTANT_FOLDER);

export function mutantsFile(adapter: string, folder: URL = MUTANT_FOLDER): URL {
  return new URL(`${fileNameOf(adapter)}.json`, folder);
}

/** Every adapter's record. @throws {Failure} on a damaged one */
export function storedRecords(folder: URL = MUTANT_FOLDER): MutantsRecord[] {
  return namesIn(folder).map(({ name }) => name)
    .filter((name) => name.endsWith(".json") && name !== PROOFS).sort()
    .map((name) => read(new URL(name, folder)));
}

function read(file: URL): MutantsRecord {
  try {
    const record = JSON.parse(Deno.readTextFileSync(file)) as MutantsRecord;
    if (record.format === MUTANTS_FORMAT && record.mutants) return record;
    throw new Error(`its format is ${record.format}, and this samebits reads ${MUTANTS_FORMAT}`);
  } catch (error) {
    throw new Failure(
      EXIT.goldens,
      `Cannot read the mutants' record ${file.pathname}: ${(error as Error).message}. Restore it ` +
        "(git checkout -- golden/mutants) or make it anew: deno task mutants --accept",
    );
  }
}

export function writeRecord(file: URL | string, record: MutantsRecord): void {
  try {
    Deno.writeTextFileSync(file, recordText(record));
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot write the mutants' record ${file}: ${(error as Error).message}`,
    );
  }
}
