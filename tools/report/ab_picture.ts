/**
 * Two texts' times as a picture: every sample a tick, the medians thick.
 *
 * @module
 */
import { quantile } from "statistics";
import { type AbResult, SIDES } from "../timing/ab.ts";
import { Plot, svgOf } from "./picture.ts";

/** Of the slowest samples the picture would show nothing else; they stand at its edge. */
const SHOWN = 0.95;
const ROW_HEIGHT = 36;
const WIDTH = 860;

/** A block of three rows for each kernel and case; times as changes from A's median, in per cent. */
export function abPicture(results: readonly AbResult[], title: string): string {
  const rows = results.flatMap((result) =>
    SIDES.map((side) => ({
      block: `${result.kernels[1]} ${result.address.replace(/^[^:]*:/, "")}`,
      side,
      median: change(result.medianNs[side], result),
      values: result.samples[side].ns.map((ns) => change(ns, result)),
    }))
  );
  const ticks = rows.flatMap(({ block, side, values }) => values.map((x) => ({ block, side, x })));
  const most = Math.max(1, ...rows.map(({ values }) => quantile(values, SHOWN)));
  const least = Math.min(-1, ...rows.map(({ values }) => Math.min(...values)));
  return svgOf(title, {
    width: WIDTH,
    height: 100 + ROW_HEIGHT * rows.length,
    marginLeft: 70,
    marginRight: 300,
    x: {
      label: "time, per cent from the median of A",
      labelAnchor: "center",
      domain: [least, most],
      clamp: true,
    },
    y: { domain: [...SIDES], label: null },
    fy: { label: null },
    color: { domain: [...SIDES], range: ["#4e79a7", "#76b7b2", "#e15759"] },
    marks: [
      Plot.ruleX([0], { stroke: "#999" }),
      Plot.tickX(ticks, { x: "x", y: "side", fy: "block", stroke: "side", strokeOpacity: 0.25 }),
      Plot.tickX(rows, { x: "median", y: "side", fy: "block", stroke: "black", strokeWidth: 3 }),
    ],
  });
}

function change(ns: number, { medianNs }: AbResult): number {
  return (ns / medianNs.A - 1) * 100;
}
