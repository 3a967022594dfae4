/**
 * The parts that every section of a page is made of.
 *
 * @module
 */
import { type Html, html } from "./html.ts";

export function section(id: string, title: string, body: Html): Html {
  return html`
    <section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
    </section>
  `;
}

/** A table that scrolls by itself where it is wider than the screen, by keyboard too. */
export function table(caption: string, body: Html, kind = ""): Html {
  return html`
    <div class="wide" role="region" tabindex="0" aria-label="${caption}">
      <table class="${kind}">
    <caption>${caption}</caption>${body}</table>
    </div>
  `;
}
