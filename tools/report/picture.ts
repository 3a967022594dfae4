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

const SVG = "http://www.w3.org/2000/svg";
/** Pixels above the plot, for its title. */
const TITLE_HEIGHT = 44;

/** Draws a plot without a browser. Plot's own title would make it HTML. */
export function svgOf(title: string, options: Plot.PlotOptions): string {
  const { document } = parseHTML("<html><body></body></html>") as unknown as Page;
  const svg = Plot.plot({ marginTop: TITLE_HEIGHT, ...options, document });
  svg.setAttribute("xmlns", SVG);
  svg.setAttribute("style", "background: white; color: black");
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of [["x", "10"], ["y", "18"], ["font-size", "13"]] as const) {
    text.setAttribute(name, value);
  }
  text.setAttribute("text-anchor", "start");
  text.textContent = title;
  svg.append(text);
  return `${svg.outerHTML}\n`;
}
