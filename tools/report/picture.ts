/**
 * Pictures as SVG files. The plotting library is large: import this where a picture is asked for.
 *
 * @module
 */
import { parseHTML } from "dom";
import * as Plot from "plot";

export { Plot };

/** What is needed of a page; the browser's own types are not loaded here. */
interface Page {
  readonly document: NonNullable<Plot.PlotOptions["document"]>;
}

/** Draws a plot without a browser. */
export function svgOf(options: Plot.PlotOptions): string {
  const { document } = parseHTML("<html><body></body></html>") as unknown as Page;
  const svg = Plot.plot({ ...options, document });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("style", "background: white; color: black");
  return `${svg.outerHTML}\n`;
}
