/**
 * All that a page is made from, and what its parts want of it again and again.
 *
 * @module
 */
import type { Baseline } from "../../timing/baseline.ts";
import type { BenchRecord } from "../../timing/bench_record.ts";
import type { RooflineRecord } from "../../timing/roofline.ts";
import type { Result } from "../../runner/verdict.ts";
import { failureGroups } from "../text.ts";
import { adapterKey, type Matrix, type MatrixAdapter, matrixOf } from "../matrix.ts";
import { type RecordedDiagnosis, type RunRecord, runsOf, type SavedRecord } from "../record.ts";

/** What the command read. */
export interface PageInput {
  readonly records: readonly SavedRecord[];
  readonly benches: readonly BenchRecord[];
  readonly baselines: readonly Baseline[];
  readonly rooflines: readonly RooflineRecord[];
  /** From files of evidence, beside those that the records hold. */
  readonly diagnoses: readonly EvidenceOf[];
}

/** A diagnosis, and the name of the adapter that it is about. */
export type EvidenceOf = RecordedDiagnosis & { readonly adapter: string };

export interface PageData extends PageInput {
  readonly runs: readonly RunRecord[];
  readonly matrix: Matrix;
  readonly failures: readonly Failing[];
}

/** A check that a run fails for, with those that say the very same. */
export interface Failing {
  readonly result: Result;
  readonly run: RunRecord;
  readonly adapter: MatrixAdapter;
  /** Addresses of other checks of this kernel and adapter with the same error. */
  readonly same: readonly string[];
  readonly diagnosis?: RecordedDiagnosis;
}

export function pageData(input: PageInput): PageData {
  // A run and a merge that it is in may both be given.
  const runs = [
    ...new Map(
      input.records.flatMap(runsOf).map((run) => [
        [adapterKey(run), run.started, run.plan.shard?.index, run.results.length].join(" "),
        run,
      ]),
    ).values(),
  ];
  const matrix = matrixOf(runs, input.benches);
  return { ...input, runs, matrix, failures: failing(matrix, input.diagnoses) };
}

/** The column of a run. */
export function columnOf(run: RunRecord, matrix: Matrix): MatrixAdapter {
  const key = adapterKey(run);
  return matrix.adapters.find((adapter) => adapter.key === key)!;
}

/** A name that tells the adapters of the page apart. */
export function adapterTitle(adapter: MatrixAdapter, { adapters }: Matrix): string {
  const isAlone = adapters.filter(({ name }) => name === adapter.name).length === 1;
  return isAlone ? adapter.name : `${adapter.name} (${adapter.profile ?? adapter.backend})`;
}

function failing(matrix: Matrix, given: PageInput["diagnoses"]): Failing[] {
  return matrix.adapters.flatMap((adapter) => {
    const diagnoses = [
      ...given.filter((one) => one.adapter === adapter.name),
      ...adapter.runs.flatMap((run) => run.diagnoses ?? []),
    ];
    const known = new Map(diagnoses.map((one) => [keyOf(one.check), one]));
    return failureGroups(adapter.runs).map(({ run, results: [result, ...others] }) => {
      const diagnosis = known.get(keyOf(result!.check));
      return {
        result: result!,
        run,
        adapter,
        same: others.map(({ check }) => check.address),
        ...(diagnosis && { diagnosis }),
      };
    });
  });
}

function keyOf({ kernel, address, workgroup }: Result["check"]): string {
  return `${kernel} ${workgroup} ${address}`;
}
