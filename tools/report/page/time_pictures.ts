/**
 * Small pictures of times, one a row of a table.
 *
 * @module
 */
import { quantileSorted } from "statistics";
import type { HistoryEntry } from "../../timing/baseline.ts";
import { inlineSvg, Plot } from "../picture.ts";
import { nsText } from "../times.ts";
import { Html } from "./html.ts";

/** Samples as changes from a median: 0.1 is 10 % slower. */
export type Series = readonly number[];

/** Wider distributions are cut here: one row must not press the others into a line. */
const WIDEST = 0.5;
const LEAST = 0.02;
const SIZE = { width: 160, marginLeft: 2, marginRight: 2, marginTop: 2, marginBottom: 2 } as const;
const ROW_HEIGHT = 12;

/** From where to where all rows are drawn, so that they can be compared. */
export function rangeOf(all: readonly Series[]): readonly [number, number] {
  const spans = all.map(quantilesOf);
  const least = Math.min(-LEAST, ...spans.map(({ low }) => low));
  const most = Math.max(LEAST, ...spans.map(({ high }) => high));
  return [Math.max(-WIDEST, least), Math.min(WIDEST, most)];
}

/** @param series the baseline's, then those of now; one of them may be missing */
export function distributionPicture(
  series: readonly Series[],
  range: readonly [number, number],
): Html {
  const rows = series.map((one, y) => ({ y, ...quantilesOf(one) }));
  const description = rows.map(({ low, high, middle }) =>
    `median ${percent(middle)}, 5th to 95th percentile ${percent(low)} to ${percent(high)}`
  ).join("; now ");
  return new Html(inlineSvg(`Distribution: ${description}`, {
    ...SIZE,
    height: ROW_HEIGHT * rows.length + 4,
    x: { domain: [...range], clamp: true, axis: null },
    y: { type: "band", domain: rows.map(({ y }) => y), axis: null },
    marks: [
      Plot.ruleX([0], { strokeOpacity: 0.3 }),
      Plot.ruleY(rows, { y: "y", x1: "low", x2: "high", strokeOpacity: 0.6 }),
      Plot.ruleY(rows, { y: "y", x1: "left", x2: "right", strokeWidth: 6, strokeOpacity: 0.45 }),
      Plot.tickX(rows, { x: "middle", y: "y", strokeWidth: 2, inset: 1 }),
    ],
  }));
}

function quantilesOf(series: Series) {
  const sorted = [...series].sort((a, b) => a - b);
  const at = (part: number) => quantileSorted(sorted, part);
  return { low: at(0.05), left: at(0.25), middle: at(0.5), right: at(0.75), high: at(0.95) };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

/** Medians of the baselines that were kept, the oldest first. */
export function trendPicture(history: readonly HistoryEntry[]): Html {
  const points = history.map(({ medianNs }, i) => ({ i, medianNs }));
  const medians = history.map(({ medianNs }) => medianNs);
  const description = `Trend of ${history.length} baselines: ${
    history.map(({ accepted, medianNs }) => `${accepted.slice(0, 10)} ${nsText(medianNs)}`).join(
      ", ",
    )
  }`;
  return new Html(inlineSvg(description, {
    ...SIZE,
    width: 100,
    height: 2 * ROW_HEIGHT,
    marginLeft: 4,
    marginRight: 4,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null, domain: [0, history.length - 1] },
    y: { axis: null, domain: [Math.min(...medians) * 0.98, Math.max(...medians) * 1.02] },
    marks: [
      Plot.line(points, { x: "i", y: "medianNs", strokeOpacity: 0.6 }),
      Plot.dot(points, { x: "i", y: "medianNs", r: 2, fill: "currentColor" }),
    ],
  }));
}
