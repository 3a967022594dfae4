/**
 * The roofline as a picture: what memory and cores allow, and where the kernels are.
 *
 * @module
 */
import { adapterName } from "../runner/adapter.ts";
import type { RooflineRecord } from "../timing/roofline.ts";
import { rateText } from "./times.ts";
import { inlineSvg, Plot, svgOf } from "./picture.ts";

const SIZE = { width: 860, height: 520, marginLeft: 70, marginBottom: 50, marginRight: 90 };

/** A file of its own. */
export function rooflinePicture(record: RooflineRecord): string {
  return svgOf(titleOf(record), plotOf(record));
}

/** The same inside a page. */
export function rooflineInline(record: RooflineRecord): string {
  return inlineSvg(`Roofline of ${titleOf(record)}`, { ...plotOf(record), marginTop: 20 });
}

function titleOf({ adapter, backend, bandwidth }: RooflineRecord): string {
  return `${adapterName(adapter)} (${backend}): ${rateText(bandwidth)} read`;
}

/** Both axes are logarithmic: operations a byte, and operations a second in 10^9. */
function plotOf({ bandwidth, arithmetic, kernels }: RooflineRecord): Plot.PlotOptions {
  const points = kernels.map(({ kernel, address, operations, bytes, ns }) => ({
    kernel,
    intensity: operations / bytes,
    rate: operations / ns,
    label: `${kernel} ${
      address.replace(/^.*model=([^,]*),matrix=([^,]*),cols=(\d+).*$/, "$1 $2 ×$3")
    }`,
  }));
  const ridge = arithmetic / bandwidth;
  const intensities = points.map(({ intensity }) => intensity);
  const [left, right] = [
    Math.min(ridge, ...intensities) / 4,
    Math.max(ridge, ...intensities) * 4,
  ];
  const roof = [left, ridge, right].map((intensity) => ({
    intensity,
    rate: Math.min(arithmetic, bandwidth * intensity) / 1e9,
  }));
  const lowest = Math.min(roof[0]!.rate, ...points.map(({ rate }) => rate)) / 2;
  return {
    ...SIZE,
    x: {
      type: "log",
      label: "operations a byte",
      labelAnchor: "center",
      tickFormat: String,
      domain: [left, right],
    },
    y: {
      type: "log",
      label: "10^9 operations a second",
      labelAnchor: "center",
      tickFormat: String,
      domain: [lowest, roof[1]!.rate * 2],
    },
    marks: [
      Plot.frame({ stroke: "#ccc" }),
      Plot.line(roof, { x: "intensity", y: "rate", stroke: "currentColor", strokeWidth: 2 }),
      Plot.text([roof[1]!], {
        x: "intensity",
        y: "rate",
        text: () => "read bandwidth | arithmetic kernel",
        dy: -10,
      }),
      Plot.dot(points, { x: "intensity", y: "rate", fill: "kernel", r: 4, title: "label" }),
      Plot.text(namesOf(points, roof[1]!.rate), {
        x: () => right,
        y: "rate",
        text: "kernel",
        textAnchor: "start",
        dx: 6,
        fill: "kernel",
      }),
    ],
  };
}

/** The kernels' names one below the other, in their colours, from the roof down. */
function namesOf(points: readonly { readonly kernel: string }[], top: number) {
  return [...new Set(points.map(({ kernel }) => kernel))]
    .map((kernel, i) => ({ kernel, rate: top / 1.4 ** i }));
}
