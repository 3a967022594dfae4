/**
 * The file of durations: the project's own, or a record that is read for its durations.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { EXIT, Failure } from "../exit_codes.ts";
import { GOLDEN_FOLDER } from "../goldens/store.ts";
import { runsOf } from "../report/record.ts";
import { type Durations, DURATIONS_FORMAT, durationsOf, durationsText } from "./durations.ts";
import { decoded, recordOf } from "./read.ts";

/**
 * Part of the repository, so that every machine that tests a commit cuts its plan at the same
 * places.
 */
export const DURATIONS_FILE: string = fileURLToPath(new URL("durations.json", GOLDEN_FOLDER));

/** @throws {Failure} where the file is neither durations nor a record */
export async function readDurations(file: string = DURATIONS_FILE): Promise<Durations> {
  const unusable = (state: string) =>
    new Failure(
      EXIT.usage,
      `Cannot cut the plan by ${file}: ${state}. Name a record that gate --record or merge ` +
        "--record wrote, or leave --durations out.",
    );
  let value: unknown;
  try {
    value = decoded(Deno.readFileSync(file));
  } catch (error) {
    throw unusable((error as Error).message);
  }
  if (isDurations(value)) return value.seconds;
  const record = await recordOf(value);
  if (typeof record === "string") throw unusable(record);
  const durations = durationsOf(runsOf(record));
  if (Object.keys(durations).length === 0) throw unusable("no check of it ran");
  return durations;
}

function isDurations(value: unknown): value is { readonly seconds: Durations } {
  const { format, seconds } = (value ?? {}) as { format?: unknown; seconds?: unknown };
  return format === DURATIONS_FORMAT && typeof seconds === "object" && seconds !== null &&
    Object.values(seconds).every((one) => typeof one === "number" && one >= 0);
}

/** Keeps durations for all runs to come. @throws {Failure} where they cannot be written */
export function writeDurations(durations: Durations, file: string = DURATIONS_FILE): void {
  try {
    Deno.writeTextFileSync(file, durationsText(durations));
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot write durations ${file}: ${(error as Error).message}`,
    );
  }
}
