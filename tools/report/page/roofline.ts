/**
 * The roofline: what memory and cores allow, and where the kernels are.
 *
 * @module
 */
import { adapterName } from "../../runner/adapter.ts";
import type { RooflineRecord } from "../../timing/roofline.ts";
import { rooflineInline } from "../roofline_picture.ts";
import { rooflineLines } from "../roofline_text.ts";
import type { PageData } from "./data.ts";
import { Html, html } from "./html.ts";
import { section } from "./section.ts";

export function rooflineSection({ rooflines }: PageData): Html {
  return section(
    "roofline",
    "Roofline",
    rooflines.length === 0
      ? html`<p>No roofline was given. <code>deno task roofline --record FILE</code> measures one.</p>`
      : html`${rooflines.map(recordHtml)}`,
  );
}

function recordHtml(record: RooflineRecord): Html {
  return html`
    <h3>${adapterName(record.adapter)}</h3>
    <div class="wide roof" role="region" tabindex="0"
      aria-label="Roofline of ${adapterName(record.adapter)}">${new Html(
        rooflineInline(record),
      )}</div>
    <details class="quiet">
      <summary>The same in numbers</summary>
      <pre>${rooflineLines(record).join("\n")}</pre>
    </details>
  `;
}
