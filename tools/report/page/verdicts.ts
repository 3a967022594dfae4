/**
 * A verdict as a word with a sign of its own: never by colour alone.
 *
 * @module
 */
import type { CellVerdict } from "../matrix.ts";
import { type Html, html } from "./html.ts";

const SHOWN: Readonly<Record<CellVerdict, readonly [sign: string, word: string]>> = {
  pass: ["✓", "pass"],
  differ: ["≠", "differ"],
  error: ["!", "error"],
  incomplete: ["…", "incomplete"],
  unsupported: ["–", "unsupported"],
  none: ["·", "not run"],
};

const MEANINGS: Readonly<Record<CellVerdict, string>> = {
  pass: "every output word has the golden's bits",
  differ: "an output word has other bits",
  error: "a check could not be brought to an end",
  incomplete: "the run ended before all of its checks had a verdict",
  unsupported: "the adapter does not offer what the check needs",
  none: "nobody tried it there",
};

export function badge(verdict: CellVerdict): Html {
  const [sign, word] = SHOWN[verdict];
  return html`<span class="badge ${verdict}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** What each badge means. */
export function legend(): Html {
  const entries = (Object.keys(SHOWN) as CellVerdict[]).map((verdict) =>
    html`
      <div>
        <dt>${badge(verdict)}</dt>
        <dd>${MEANINGS[verdict]}</dd>
      </div>
    `
  );
  return html`<dl class="legend">${entries}</dl>`;
}
