/**
 * What a report is made from, found in files.
 *
 * @module
 */
import { join } from "node:path";
import { parseEvidence } from "../diagnose/evidence.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { isBench, recordFiles } from "../records/folder.ts";
import { decoded, recordOf } from "../records/read.ts";
import { diagnosisLines } from "../report/diagnosis.ts";
import { isTimedOn } from "../report/matrix.ts";
import type { EvidenceOf, PageInput } from "../report/page/data.ts";
import { type RunRecord, runsOf, type SavedRecord } from "../report/record.ts";
import { type Baseline, BASELINE_FOLDER, BaselineStore } from "../timing/baseline.ts";
import type { BenchRecord } from "../timing/bench_record.ts";
import { ROOFLINE_FORMAT, type RooflineRecord } from "../timing/roofline.ts";

/** Reads files and all files of folders, each for what it holds. @throws {Failure} */
export async function readPageFiles(
  paths: readonly string[],
): Promise<Omit<PageInput, "baselines">> {
  const records: SavedRecord[] = [];
  const benches: BenchRecord[] = [];
  const rooflines: RooflineRecord[] = [];
  const diagnoses: EvidenceOf[] = [];
  for (const file of paths.flatMap(filesAt)) {
    const value = read(file);
    if (isBench(value)) benches.push(value);
    else if (isRoofline(value)) rooflines.push(value);
    else if (isEvidence(value)) diagnoses.push(diagnosisOf(JSON.stringify(value), file));
    else {
      const record = await recordOf(value);
      if (typeof record === "string") throw unreadable(file, record);
      records.push(record);
    }
  }
  if (records.length > 0) return { records, benches, rooflines, diagnoses };
  throw new Failure(
    EXIT.nothing,
    "Nothing to report: no record among what was given. Make one: deno task gate --record FILE",
  );
}

/** The baselines of the adapters that were run or timed. @throws {Failure} for a damaged one */
export async function baselinesFor(
  records: readonly SavedRecord[],
  benches: readonly BenchRecord[],
  folder: URL = BASELINE_FOLDER,
): Promise<Baseline[]> {
  const runs = records.flatMap(runsOf);
  const store = new BaselineStore(folder);
  const keys = store.keys().filter((key) =>
    runs.some((run) => isTimedOn(key, run)) ||
    benches.some(({ environment }) => environment.key === key)
  );
  const found = await Promise.all(keys.map((key) => store.read(key)));
  return found.filter((baseline) => baseline !== undefined);
}

/** Writes the page as the folder's `index.html`, and gives its path. @throws {Failure} */
export async function writePage(input: PageInput, folder: string): Promise<string> {
  // The plotting library is loaded only where a page is asked for.
  const { reportPage } = await import("../report/page/page.ts");
  const page = await reportPage(input);
  const file = join(folder, "index.html");
  try {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(file, page);
  } catch (error) {
    throw new Failure(EXIT.usage, `Cannot write report ${file}: ${(error as Error).message}`);
  }
  return file;
}

/** The page of one run, with the baseline of its adapter. @throws {Failure} */
export async function reportRun(record: RunRecord, folder: string): Promise<void> {
  const baselines = await baselinesFor([record], []);
  const input = { records: [record], benches: [], rooflines: [], diagnoses: [], baselines };
  console.log(`report   ${await writePage(input, folder)}`);
}

function filesAt(path: string): string[] {
  try {
    return Deno.statSync(path).isDirectory ? recordFiles(path) : [path];
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

function read(file: string): unknown {
  try {
    return decoded(Deno.readFileSync(file));
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
}

function unreadable(file: string, state: string): Failure {
  return new Failure(
    EXIT.usage,
    `Cannot report ${file}: ${state}. Give it what gate --record, gate --evidence, merge --record, ` +
      "bench --record or roofline --record wrote.",
  );
}

function isRoofline(value: unknown): value is RooflineRecord {
  const { format, points, kernels, bandwidth } = (value ?? {}) as Partial<RooflineRecord>;
  return format === ROOFLINE_FORMAT && Array.isArray(points) && Array.isArray(kernels) &&
    typeof bandwidth === "number";
}

function isEvidence(value: unknown): boolean {
  return typeof value === "object" && value !== null && "diagnosis" in value;
}

function diagnosisOf(text: string, file: string): EvidenceOf {
  const { check, adapter, diagnosis } = parseEvidence(text, file);
  const { blame, cause, isComplete } = diagnosis;
  return { check, adapter, blame, cause, isComplete, lines: diagnosisLines(diagnosis) };
}
