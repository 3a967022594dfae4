/**
 * The pictures of a mismatch: where its words lie, how far off they are, and in which bits.
 *
 * @module
 */
import type { Differences } from "../../runner/verdict.ts";
import { counted, distanceText, thousands } from "../numbers.ts";
import { inlineSvg, Plot } from "../picture.ts";
import { type Html, Html as Raw, html } from "./html.ts";

const SIZE = { width: 300, height: 130, marginLeft: 34, marginRight: 8, marginTop: 8 } as const;
/** Pixels of a column in the map, where there is room. */
const COLUMN = 12;
const MAP_HEIGHT = { least: 16, most: 160 } as const;
/** Steps of shade: some of the words that a field stands for, most of them, all. */
const SHADES = [0.35, 0.65, 1] as const;

/**
 * @param firstRow of the rows that are shown, in the whole output
 * @param integers words that are no f32: they have no units in the last place, and no exponents
 */
export function failurePictures(
  differences: Differences,
  firstRow: number,
  integers = false,
): Html {
  const { map, distances, bits } = differences;
  const isWritten = bits.some((count) => count > 0);
  return html`<div class="pictures">
${figure("where: rows across, columns down", mapPicture(differences, firstRow), shadesNote(map))}
${
    isWritten &&
    figure(
      integers ? "how far off" : "how far off, in ulp",
      distancePicture(distances, integers),
      unorderedNote(differences),
    )
  }
${isWritten && figure("in which bits", integers ? integerBitsPicture(bits) : bitsPicture(bits), "")}
</div>`;
}

function figure(title: string, svg: string, note: string): Html {
  return html`<figure><figcaption>${title}</figcaption>${new Raw(svg)}${
    note && html`<small>${note}</small>`
  }</figure>`;
}

function shadesNote(map: readonly string[]): string {
  return map.some((line) => /[1-8]/.test(line))
    ? "darker where more of a field's words differ"
    : "";
}

function unorderedNote({ unordered }: Differences): string {
  return unordered > 0 ? `and ${counted(unordered, "word")} where a NaN meets a number` : "";
}

function mapPicture({ map, rows, cols }: Differences, firstRow: number): string {
  const [across, down] = [map[0]!.length, map.length];
  const inner = Math.max(MAP_HEIGHT.least, Math.min(MAP_HEIGHT.most, down * COLUMN));
  const [marginTop, marginBottom] = [8, 22];
  const wrong = map.join("").replaceAll("0", "").length;
  const description = `Map of ${rows} rows and ${cols} columns: ` +
    `${thousands(wrong)} of ${counted(across * down, "field")} hold differing words`;
  return inlineSvg(description, {
    ...SIZE,
    height: inner + marginTop + marginBottom,
    marginTop,
    marginBottom,
    x: { domain: [firstRow, firstRow + rows], label: null },
    y: { domain: [0, cols], range: [marginTop, marginTop + inner], label: null },
    marks: [
      Plot.frame({ strokeOpacity: 0.4 }),
      Plot.axisX(wholeTicks(rows, 6).map((tick) => tick + firstRow), { tickFormat: thousands }),
      Plot.axisY(wholeTicks(cols, Math.ceil(inner / 24)), { tickFormat: thousands }),
      (_index, _scales, _values, dimensions, { document }) => {
        const { width, marginLeft, marginRight } = dimensions;
        const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
        const step = [(width - marginLeft - marginRight) / across, inner / down] as const;
        group.setAttribute("class", "wrong");
        group.setAttribute(
          "transform",
          `translate(${marginLeft} ${marginTop}) scale(${step.map((one) => one.toFixed(3))})`,
        );
        SHADES.forEach((opacity, shade) => {
          const d = runsOf(map, shade);
          if (d === "") return;
          const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
          path.setAttribute("d", d);
          path.setAttribute("stroke-opacity", String(opacity));
          group.append(path);
        });
        return group;
      },
    ],
  });
}

/** Lines through the fields of a shade: each as wide as a field is high, so that they fill it. */
function runsOf(map: readonly string[], shade: number): string {
  return map.flatMap((line, down) =>
    [...line.matchAll([/[1-4]+/g, /[5-8]+/g, /9+/g][shade]!)]
      .map(({ index, 0: run }) => `M${index} ${down}.5h${run.length}`)
  ).join("");
}

/** About so many whole numbers from 0 on, at equal distances. */
function wholeTicks(count: number, wanted: number): number[] {
  const rough = Math.max(1, count / wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!);
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

/** Distances that an axis names, as powers of two. */
const NAMED_POWERS: readonly (readonly [power: number, name: string])[] = [
  [0, "1"],
  [4, "16"],
  [8, "256"],
  [12, "4 k"],
  [16, "66 k"],
  [20, "1 M"],
  [24, "17 M"],
  [28, "268 M"],
  [32, "4 G"],
];

function distancePicture(distances: readonly number[], integers: boolean): string {
  const powers = Math.max(8, 4 * Math.ceil(distances.length / 4));
  const farthest = distances.length - 1;
  const description = farthest < 0
    ? "No differing word has a distance"
    : `Histogram of distances: ${
      distances.flatMap((count, power) =>
        count > 0 ? [`${thousands(count)} at ${distanceText(2 ** power, integers)} or more`] : []
      ).join(", ")
    }`;
  return histogram(description, distances, [0, powers], {
    ticks: NAMED_POWERS.map(([power]) => power).filter((power) => power <= powers),
    tickFormat: (power: number) => NAMED_POWERS.find(([one]) => one === power)![1],
  });
}

/** Where an f32's parts begin, from the last bit on. */
const EXPONENT = 23;
const SIGN = 31;
const BITS = 32;

function bitsPicture(bits: readonly number[]): string {
  const part = (from: number, to: number) =>
    bits.slice(from, to).reduce((sum, count) => sum + count, 0);
  const description = `Histogram of wrong bits: ${thousands(part(0, EXPONENT))} in significands, ` +
    `${thousands(part(EXPONENT, SIGN))} in exponents, ${thousands(part(SIGN, BITS))} signs`;
  const named = [
    { at: EXPONENT / 2, name: "significand" },
    { at: (EXPONENT + SIGN) / 2, name: "exponent" },
  ];
  return histogram(
    description,
    bits,
    [BITS, 0],
    { ticks: [0, 8, 16, EXPONENT, SIGN], tickFormat: String },
    [
      Plot.ruleX([EXPONENT, SIGN], { strokeOpacity: 0.5, strokeDasharray: "2 3" }),
      Plot.text(named, { x: "at", text: "name", frameAnchor: "top", dy: 2, fillOpacity: 0.75 }),
    ],
  );
}

function integerBitsPicture(bits: readonly number[]): string {
  const description = `Histogram of wrong bits: ${
    bits.flatMap((count, bit) => count > 0 ? [`${thousands(count)} of bit ${bit}`] : []).join(", ")
  }`;
  return histogram(description, bits, [BITS, 0], { ticks: [0, 8, 16, 24, 31], tickFormat: String });
}

function histogram(
  description: string,
  counts: readonly number[],
  domain: readonly [number, number],
  x: Plot.ScaleOptions,
  more: readonly Plot.Markish[] = [],
): string {
  const most = Math.max(1, ...counts);
  const corners = counts.flatMap((count, i) => [{ at: i, count }, { at: i + 1, count }]);
  const steps = corners.filter(({ count }, i) =>
    count !== corners[i - 1]?.count || count !== corners[i + 1]?.count
  );
  return inlineSvg(description, {
    ...SIZE,
    marginTop: 18,
    marginBottom: 22,
    x: { domain: [...domain], label: null, ...x },
    y: { domain: [0, most], label: null, ticks: [0, most], tickFormat: thousands },
    marks: [
      Plot.areaY(steps, { x: "at", y1: 0, y2: "count", className: "wrong" }),
      Plot.ruleY([0], { strokeOpacity: 0.4 }),
      ...more,
    ],
  });
}
