/**
 * A bench as text for a terminal or a log.
 *
 * @module
 */
import type { HistoryEntry } from "../timing/baseline.ts";
import type { BenchRecord, BenchResult } from "../timing/bench_record.ts";
import type { Result } from "../runner/verdict.ts";
import type { Untimed } from "../timing/run.ts";
import { counted } from "./numbers.ts";
import { failureLines } from "./text.ts";
import { unsupportedLines } from "./unsupported.ts";
import { intervalText, nsText, percentText, rateText, verdictText } from "./times.ts";

/** Digits of a text's hash that a person compares. */
const HASH_DIGITS = 8;

/** A block for each case, a line for each kernel. */
export function benchLines({ results }: Pick<BenchRecord, "results">): string[] {
  const cases = Map.groupBy(results, ({ target }) => target.address);
  return [...cases].flatMap(([address, list]) => [address, ...list.flatMap(resultLines), ""]);
}

function resultLines(result: BenchResult): string[] {
  const { target, medianNs, bytesPerSecond, share, comparison, before, text } = result;
  const times = [
    `  ${target.kernel.padEnd(10)}`,
    nsText(medianNs).padStart(9),
    rateText(bytesPerSecond).padStart(14),
    `${percentText(share)} of the read`.padStart(22),
  ].join("");
  if (!comparison || !before) return [times];
  const under = "".padEnd(12);
  const change = `${intervalText(comparison.ratio)}, noise ${percentText(comparison.noise)}`;
  return [
    `${times}   ${change}   ${verdictText(comparison)}`,
    ...before.text === text ? [] : [
      `${under} text ${before.text.slice(0, HASH_DIGITS)} before, ` +
      `${text.slice(0, HASH_DIGITS)} now`,
    ],
    ...before.history.length < 2 ? [] : [`${under} ${trendText(before.history)}`],
  ];
}

/** Former baselines shown; the file has more. */
const TREND_SHOWN = 5;

/** The last baselines, the oldest first: `baselines since 2026-11-30: 41.0 µs, 39.9 µs`. */
function trendText(history: readonly HistoryEntry[]): string {
  const shown = history.slice(-TREND_SHOWN);
  const times = shown.map(({ medianNs }) => nsText(medianNs)).join(", ");
  return `baselines since ${shown[0]!.accepted.slice(0, 10)}: ${times}`;
}

/** Failures shown of each text; deno task gate shows all of them. */
const FAILURES_SHOWN = 2;

/** Targets whose bits are wrong or unknown, and those that the adapter does not support. */
export function untimedLines(untimed: readonly Untimed[]): string[] {
  const wrong = untimed.filter(({ verdict }) => verdict.kind !== "unsupported");
  const texts = Map.groupBy(
    wrong,
    ({ target }) => `${target.kernel} ${target.variant?.file ?? ""}`.trim(),
  );
  return [
    ...[...texts].flatMap(([text, list]) => [
      ...list.slice(0, FAILURES_SHOWN).flatMap(wrongLines),
      `Not timed: ${text}. It fails ${counted(list.length, "check")}, and a time of wrong bits ` +
      "says nothing. Mend it first.",
      "",
    ]),
    ...unsupportedLines(untimed.map(resultOf)),
  ];
}

function wrongLines(one: Untimed): string[] {
  const { kernel, variant } = one.target;
  return failureLines(resultOf(one), {
    options: variant ? [`--text ${kernel}=${variant.file}`] : [],
  });
}

function resultOf({ target: { kernel, address, workgroup }, verdict }: Untimed): Result {
  return { check: { kernel, address, workgroup }, verdict };
}

/** What all comparisons came to, in one line. */
export function benchSummary({ results, untimed, seconds, floorNs }: BenchRecord): string {
  const kinds = ["slower", "faster", "no change", "inconclusive"] as const;
  const counts = kinds.flatMap((kind) => {
    const count = results.filter(({ comparison }) => comparison?.verdict.kind === kind).length;
    return count > 0 ? [`${count} ${kind}`] : [];
  });
  const without = results.filter(({ comparison }) => !comparison).length;
  return [
    `${counted(results.length, "kernel and shape", "kernels and shapes")} timed in ` +
    `${seconds.toFixed(0)} s (an empty kernel: ${nsText(floorNs)})`,
    ...counts,
    ...without > 0 ? [`${without} without a baseline`] : [],
    ...untimed.length > 0 ? [`${untimed.length} not timed`] : [],
  ].join(", ");
}
