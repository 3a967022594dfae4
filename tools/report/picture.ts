/**
 * Pictures as SVG. The plotting library is large: import this where a picture is asked for.
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

/** A picture as a file of its own. Plot's own title would make it HTML. */
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

let shared: Page["document"] | undefined;

/**
 * A picture inside a page, in the page's colours (`currentColor`) and as wide as there is room.
 *
 * @param description what a person who does not see it is told
 */
export function inlineSvg(description: string, options: Plot.PlotOptions): string {
  shared ??= (parseHTML("<html><body></body></html>") as unknown as Page).document;
  const svg = Plot.plot({ ...options, document: shared });
  svg.querySelector("style")?.remove(); // it is the same in each; the page has it once
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", description);
  for (const name of ["fill", "font-family", "font-size", "text-anchor", "class"]) {
    svg.removeAttribute(name);
  }
  for (const group of svg.querySelectorAll("[aria-label]")) group.removeAttribute("aria-label");
  return short(svg.outerHTML);
}

/** Coordinates to a hundredth of a pixel, and no clothes that nothing is seen of. */
function short(svg: string): string {
  return svg.replace(/(\.\d\d)\d+/g, "$1").replace(
    / (?:aria-hidden|aria-description)="[^"]*"/g,
    "",
  );
}
