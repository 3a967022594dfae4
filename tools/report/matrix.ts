/**
 * What several runs came to: kernel × adapter.
 *
 * @module
 */
import { adapterName } from "../runner/adapter.ts";
import { type Counts, countVerdicts } from "../runner/verdict.ts";
import type { BenchRecord, BenchResult } from "../timing/bench_record.ts";
import type { TimingVerdict } from "../timing/decide.ts";
import type { RunRecord } from "./record.ts";

/** Kernels down, adapters across. */
export interface Matrix {
  readonly kernels: readonly string[];
  readonly adapters: readonly MatrixAdapter[];
  /** `cells[kernel][adapter]`, by their places in the lists above. */
  readonly cells: readonly (readonly Cell[])[];
}

/** A column: every run on one adapter. */
export interface MatrixAdapter {
  /** The profile's key; where the rules could not be measured, the adapter's name and backend. */
  readonly key: string;
  /** The name that a person knows it by. */
  readonly name: string;
  readonly backend: string;
  readonly software: boolean;
  /** The rules' digest. */
  readonly profile?: string;
  readonly runs: readonly RunRecord[];
}

/** What a kernel came to on an adapter, the worst first; `none`: it was not run there. */
export type CellVerdict = "error" | "differ" | "incomplete" | "pass" | "unsupported" | "none";

export interface Cell {
  readonly verdict: CellVerdict;
  readonly checks: number;
  readonly counts: Counts;
  /** Output words held against their goldens, those of differing outputs too. */
  readonly words: number;
  /** What its checks took: see {@linkcode Result}. */
  readonly seconds: number;
  /** Against the adapter's baseline, where a bench of this adapter was given. */
  readonly time?: CellTime;
}

/** A kernel's times against its baseline, over the shapes that were timed. */
export interface CellTime {
  /** Shapes that have a baseline. */
  readonly shapes: number;
  /** Time now over the time then, of the shape that changed for the worst. */
  readonly worst: number;
  /** That of the shape with the gravest verdict: slower, then inconclusive, faster, no change. */
  readonly verdict: TimingVerdict["kind"];
}

const NO_COUNTS: Counts = { pass: 0, differ: 0, error: 0, unsupported: 0 };

/**
 * Joins runs. A column is an adapter with its profile, whoever ran its shards.
 *
 * @param benches benches of the same adapters, for the times
 */
export function matrixOf(
  runs: readonly RunRecord[],
  benches: readonly BenchRecord[] = [],
): Matrix {
  const kernels = [
    ...new Set(
      runs.flatMap(({ texts, results }) => [
        ...Object.keys(texts),
        ...results.map(({ check }) => check.kernel),
      ]),
    ),
  ];
  const adapters = [...Map.groupBy(runs, adapterKey).entries()].map(columnOf);
  return {
    kernels,
    adapters,
    cells: kernels.map((kernel) => adapters.map((adapter) => cellOf(kernel, adapter, benches))),
  };
}

/** What tells the adapters of runs apart. */
export function adapterKey({ profile, adapter, backend }: RunRecord): string {
  return profile?.key ?? `${adapterName(adapter)} (${backend})`;
}

function columnOf([key, runs]: [string, RunRecord[]]): MatrixAdapter {
  const { adapter, backend, profile } = runs[0]!;
  return {
    key,
    name: adapterName(adapter),
    backend,
    software: adapter.software,
    ...(profile && { profile: profile.hash }),
    runs,
  };
}

function cellOf(kernel: string, column: MatrixAdapter, benches: readonly BenchRecord[]): Cell {
  const runs = column.runs.filter(({ texts }) => kernel in texts);
  const results = runs.flatMap(({ results }) => results)
    .filter(({ check }) => check.kernel === kernel);
  if (runs.length === 0) {
    return { verdict: "none", checks: 0, counts: NO_COUNTS, words: 0, seconds: 0 };
  }
  const counts = countVerdicts(results);
  const isWhole = runs.every(({ complete, results, planned }) =>
    complete && results.length === planned
  );
  const time = timeOf(kernel, column, benches);
  return {
    verdict: verdictOf(counts, isWhole),
    checks: results.length,
    counts,
    words: results.reduce(
      (sum, { verdict }) =>
        sum +
        (verdict.kind === "pass"
          ? verdict.words
          : verdict.kind === "differ"
          ? verdict.mismatch.words
          : 0),
      0,
    ),
    seconds: results.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
    ...(time && { time }),
  };
}

function verdictOf({ error, differ, pass, unsupported }: Counts, isWhole: boolean): CellVerdict {
  if (error > 0) return "error";
  if (differ > 0) return "differ";
  if (!isWhole) return "incomplete";
  if (pass > 0) return "pass";
  return unsupported > 0 ? "unsupported" : "none";
}

/** The graver, the earlier. */
const GRAVITY = ["slower", "inconclusive", "faster", "no change"] as const;

function timeOf(
  kernel: string,
  { runs }: MatrixAdapter,
  benches: readonly BenchRecord[],
): CellTime | undefined {
  const compared = benches.filter((bench) => isOfAdapter(bench, runs[0]!))
    .flatMap(({ results }) => results)
    .filter(({ target }) => target.kernel === kernel)
    .flatMap(({ comparison }: BenchResult) => comparison ?? []);
  if (compared.length === 0) return undefined;
  return {
    shapes: compared.length,
    worst: Math.max(...compared.map(({ ratio }) => ratio.estimate)),
    verdict: GRAVITY.find((kind) => compared.some(({ verdict }) => verdict.kind === kind))!,
  };
}

/** Was the bench made on the adapter of the run, keeping the same rules, by the same WebGPU? */
function isOfAdapter({ environment }: BenchRecord, { profile, backend }: RunRecord): boolean {
  const { key } = environment;
  // The processor of a software adapter may follow.
  const ofRun = `${profile?.key}.${backend}`;
  return key === ofRun || key.startsWith(`${ofRun}.`);
}
