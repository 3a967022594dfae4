/**
 * Looking into checks that came to no output: the text does not compile, hangs or crashes.
 *
 * @module
 */
import type { ChosenAdapter } from "../adapters/choose.ts";
import { adapterName } from "../runner/adapter.ts";
import type { Executor } from "../runner/executor.ts";
import type { Check, Result, Verdict } from "../runner/verdict.ts";

type ErrorVerdict = Extract<Verdict, { kind: "error" }>;

/** Of each kernel the first check that has a reason of its own. */
export function errorsToLookInto(failures: readonly Result[]) {
  const errors = failures.flatMap(({ check, verdict }) =>
    verdict.kind === "error" && (verdict.ran || verdict.place) ? [{ check, verdict }] : []
  );
  return [...Map.groupBy(errors, ({ check }) => check.kernel).values()].map(([first]) => first!);
}

/** Says why a check has no output, and whom that is to be blamed on. */
export async function errorLines(
  { check, verdict }: { readonly check: Check; readonly verdict: ErrorVerdict },
  second: Pick<ChosenAdapter, "adapter"> & { readonly executor: Executor } | undefined,
): Promise<string[]> {
  const there = await second?.executor.run([check]);
  const end = there === undefined
    ? undefined
    : there.kind === "results"
    ? there.results[0]!.verdict.kind
    : "error";
  const { place, message } = verdict;
  return [
    `WHY  ${check.kernel}, workgroup ${check.workgroup}: ${check.address}`,
    `  blame    ${end === "pass" ? "adapter" : "kernel"}`,
    `  cause    ${message}`,
    ...place
      ? [`  where    ${place.file}:${place.line}:${place.column}: ${place.source.trim()}`]
      : [],
    `  corners  this GPU: no output`,
    `           ${
      second
        ? `the second adapter (${adapterName(second.adapter)}): ${
          end === "pass"
            ? "agrees with the golden"
            : end === "error"
            ? "no output either"
            : end === "differ"
            ? "differs from it"
            : "does not support it"
        }`
        : "no second adapter"
    }`,
    "",
  ];
}
