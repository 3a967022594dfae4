/**
 * All records of a folder.
 *
 * @module
 */
import { join, relative, resolve } from "node:path";
import { EXIT, Failure } from "../exit_codes.ts";
import { BENCH_FORMAT, type BenchRecord } from "../timing/bench_record.ts";
import { decoded, recordOf, type Source, type Unusable } from "./read.ts";

export interface Folder {
  readonly sources: readonly Source[];
  readonly benches: readonly BenchRecord[];
  readonly unusable: readonly Unusable[];
}

/**
 * Reads every `.json` and `.json.gz` below the folder, as artifacts are unpacked into folders of
 * their own.
 *
 * @param except a file that is no source: where the result is to be written
 * @throws {Failure} where there is no such folder
 */
export async function readFolder(folder: string, except?: string): Promise<Folder> {
  const sources: Source[] = [];
  const benches: BenchRecord[] = [];
  const unusable: Unusable[] = [];
  for (const path of recordFiles(folder)) {
    if (except !== undefined && resolve(path) === resolve(except)) continue;
    const file = relative(folder, path);
    try {
      const value = decoded(Deno.readFileSync(path));
      if (isBench(value)) {
        benches.push(value);
        continue;
      }
      const record = await recordOf(value);
      if (typeof record === "string") unusable.push({ file, state: record });
      else sources.push({ file, record });
    } catch (error) {
      unusable.push({ file, state: (error as Error).message });
    }
  }
  return { sources, benches, unusable };
}

/** In order of their names, so that the same folder always reads the same. */
function recordFiles(folder: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot merge ${folder}: ${(error as Error).message}. Name the folder that the records of ` +
        "gate --record are in.",
    );
  }
  return entries.flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return recordFiles(path);
    return /\.json(\.gz)?$/.test(name) ? [path] : [];
  });
}

/** Is it what `bench` writes? Its times stand beside the checks of the same adapter. */
function isBench(value: unknown): value is BenchRecord {
  const { format, floorNs, results } = (value ?? {}) as Partial<BenchRecord>;
  return format === BENCH_FORMAT && typeof floorNs === "number" && Array.isArray(results);
}
