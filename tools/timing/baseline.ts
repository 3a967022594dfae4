/**
 * The samples that kernels are held against on one adapter: `golden/timings/<key>.json`.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { namesIn, readOrUndefined } from "../goldens/files.ts";
import { GOLDEN_FOLDER } from "../goldens/store.ts";
import { type Environment, environmentDifferences } from "./key.ts";
import { sha256Hex } from "./sha256.ts";
import type { Sitting } from "./sittings.ts";

/** Grows when a reader of older baselines would misread a new one. */
export const BASELINE_FORMAT = 1;
/** The repository's own baselines. */
export const BASELINE_FOLDER: URL = new URL("timings/", GOLDEN_FOLDER);
/** Accepted baselines that are remembered, for the trend. */
const HISTORY = 20;

/** A former baseline of a target. */
export interface HistoryEntry {
  /** ISO 8601. */
  readonly accepted: string;
  readonly reason: string;
  /** SHA-256 of the text. */
  readonly text: string;
  readonly medianNs: number;
}

/** One kernel on one case. */
export interface BaselineEntry {
  /** SHA-256 of the text that was timed. */
  readonly text: string;
  readonly bytes: number;
  readonly readBytes: number;
  readonly clock: string;
  readonly sittings: readonly Sitting[];
  /** This one last. */
  readonly history: readonly HistoryEntry[];
}

export interface Baseline {
  readonly format: typeof BASELINE_FORMAT;
  readonly samebits: string;
  readonly environment: Environment;
  /** By the target's name. */
  readonly entries: Readonly<Record<string, BaselineEntry>>;
}

/** The baselines of a folder. */
export class BaselineStore {
  readonly #folder: URL;

  constructor(folder: URL = BASELINE_FOLDER) {
    this.#folder = folder;
  }

  /** @throws {Failure} where there is one that cannot be used */
  async read(key: string): Promise<Baseline | undefined> {
    const file = this.#file(key);
    const baseline = await readBaseline(file);
    if (baseline && baseline.environment.key !== key) {
      throw new Failure(
        EXIT.goldens,
        `Cannot use baseline ${file.pathname}: it is of ${baseline.environment.key}, and its times ` +
          "say nothing here. Give the file its name back.",
      );
    }
    return baseline;
  }

  /** What there are baselines of. */
  keys(): string[] {
    return namesIn(this.#folder).map(({ name }) => name).filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length)).sort();
  }

  /** What the other files here are of, and why they cannot be compared with. */
  async others(now: Environment): Promise<string[]> {
    const lines: string[] = [];
    for (const key of this.keys()) {
      const found = await readBaseline(this.#file(key)).catch((error) => {
        if (error instanceof Failure) return undefined; // it says so when it is wanted
        throw error;
      });
      if (!found) continue;
      lines.push(`${key}.json: ${environmentDifferences(found.environment, now).join("; ")}`);
    }
    return lines;
  }

  /** Writes a baseline, whole or not at all. */
  async write(baseline: Baseline): Promise<string> {
    const { key } = baseline.environment;
    Deno.mkdirSync(this.#folder, { recursive: true });
    const file = this.#file(key);
    const part = new URL(`.${key}.part`, this.#folder);
    Deno.writeTextFileSync(part, await formatBaseline(baseline));
    Deno.renameSync(part, file);
    return file.pathname;
  }

  #file(key: string): URL {
    return new URL(`${key}.json`, this.#folder);
  }
}

async function readBaseline(file: URL): Promise<Baseline | undefined> {
  const bytes = readOrUndefined(file);
  return bytes && await parseBaseline(new TextDecoder().decode(bytes), file.pathname);
}

/** An entry that takes the place of another one, with its history behind it. */
export function succeed(
  before: BaselineEntry | undefined,
  entry: Omit<BaselineEntry, "history">,
  now: HistoryEntry,
): BaselineEntry {
  return { ...entry, history: [...before?.history ?? [], now].slice(-HISTORY) };
}

/** One line a sitting's list, and the digest of all of it at the end. */
async function formatBaseline(baseline: Baseline): Promise<string> {
  const digest = await sha256Hex(JSON.stringify(baseline));
  const text = JSON.stringify({ ...baseline, digest }, undefined, 1);
  return `${text.replace(/\[\s+([-\d.e,\s]+?)\s+\]/g, (list) => list.replace(/\s+/g, ""))}\n`;
}

async function parseBaseline(text: string, path: string): Promise<Baseline> {
  const restore = "Restore it: git checkout -- golden/timings; or make it anew: remove the file, " +
    'then deno task bench --accept --reason "…"';
  const unusable = (state: string) =>
    new Failure(EXIT.goldens, `Cannot read baseline ${path}: ${state}`);
  let parsed: Baseline & { digest?: string };
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const merge = /^(<{7}|={7}|>{7})/m.test(text);
    throw unusable(
      merge
        ? "it holds the marks of a merge conflict. Samples cannot be merged: take one side whole " +
          "(git checkout --ours or --theirs), then measure again."
        : `it is not JSON (${(error as Error).message}). ${restore}`,
    );
  }
  if (typeof parsed !== "object" || parsed === null || typeof parsed.format !== "number") {
    throw unusable(`it is no baseline: it has no format. ${restore}`);
  }
  if (parsed.format > BASELINE_FORMAT) {
    throw unusable(
      `it has format ${parsed.format}, made by samebits ${parsed.samebits}, and this one reads ` +
        `${BASELINE_FORMAT}. Update samebits.`,
    );
  }
  const { digest, ...baseline } = parsed;
  if (digest !== await sha256Hex(JSON.stringify(baseline))) {
    throw unusable(
      "its digest is not that of its content: it was damaged or edited by hand, and no verdict " +
        `can rest on it. ${restore}`,
    );
  }
  return baseline;
}
