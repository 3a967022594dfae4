/**
 * Every failing check with its pictures, its diagnosis and the line that runs it again.
 *
 * @module
 */
import type { Mismatch, TextPlace } from "../../runner/verdict.ts";
import type { RecordedDiagnosis } from "../record.ts";
import { counted, hex, thousands, wordValue } from "../numbers.ts";
import { mismatchFacts, reproduction, showsIntegers } from "../text.ts";
import { adapterTitle, type Failing, type PageData } from "./data.ts";
import { failurePictures } from "./failure_pictures.ts";
import { breakable, type Html, html } from "./html.ts";
import { section } from "./section.ts";
import { badge } from "./verdicts.ts";

export function failuresSection(data: PageData): Html {
  const { failures } = data;
  if (failures.length === 0) {
    return section("failures", "Failing checks", html`<p>No check that ran failed.</p>`);
  }
  return section(
    "failures",
    "Failing checks",
    html`<p id="unmatched" hidden>No failing check matches the filters.</p>
${failures.map((one, i) => failureHtml(one, i, data))}`,
  );
}

/** Cards whose pictures are in the page from the start: a browser takes a second for hundreds. */
const AT_ONCE = 4;

/** What the page's script puts in its own place once a reader comes near it, or prints. */
function later(content: Html): Html {
  return html`<script type="text/html" class="later">${content}</script>`;
}

function failureHtml(failing: Failing, i: number, { matrix }: PageData): Html {
  const { result, run, adapter, same, diagnosis } = failing;
  const { check: { kernel, address, workgroup }, verdict } = result;
  const body = verdict.kind === "differ"
    ? mismatchHtml(verdict.mismatch, i < AT_ONCE)
    : verdict.kind === "error" &&
      html`<pre>${verdict.message}</pre>${verdict.place && placeHtml(verdict.place)}`;
  const column = matrix.adapters.indexOf(adapter);
  return html`
    <article class="failure" aria-labelledby="failure-${i}" data-kernel="${kernel}"
      data-adapter="${column}" data-verdict="${verdict.kind}">
    <h3 id="failure-${i}">${badge(verdict.kind)} ${kernel} <code>${breakable(address)}</code></h3>
    <p class="about">workgroup ${workgroup} · ${adapterTitle(adapter, matrix)}</p>
    ${body}
    ${diagnosis && diagnosisHtml(diagnosis)}
    ${sameHtml(same)}
    <div class="again"><code>${reproduction(
      result,
      run,
    )}</code><button type="button" class="copy" aria-label="Copy the command that runs ${kernel} on ${address} again">Copy</button></div>
    </article>
  `;
}

function mismatchHtml(mismatch: Mismatch, atOnce: boolean): Html {
  const { differences, strip } = mismatch;
  const facts = mismatchFacts(mismatch).map((fact) => html`<p>${fact}</p>`);
  const pictures = differences && failurePictures(
    differences,
    strip?.first ?? 0,
    mismatch.integers,
  );
  const shown = html`${pictures}${wordsHtml(mismatch)}`;
  return html`${facts}${atOnce ? shown : later(shown)}`;
}

/** The first differing word between its neighbours. */
function wordsHtml(mismatch: Mismatch): Html | undefined {
  const { first, neighbours } = mismatch;
  if (!first) return undefined;
  const integers = showsIntegers(mismatch);
  const rows = [...neighbours, first].sort((a, b) => a.row - b.row);
  const word = (bits: number) => html`<code>${hex(bits)}</code> ${wordValue(bits, integers)}`;
  return html`
    <details class="quiet">
      <summary>Words around the first one, in column ${first.col}</summary>
      <table class="words">
        <thead>
          <tr>
            <th scope="col">row</th>
            <th scope="col">expected</th>
            <th scope="col">actual</th>
          </tr>
        </thead>
        <tbody>${rows.map((one) =>
          html`
            <tr${one === first && html`
              class="first"
            `}>
              <th scope="row">${thousands(one.row)}</th>
              <td>${word(one.expected)}</td>
              <td>${word(one.actual)}</td>
              </tr>
          `
        )}</tbody>
      </table>
    </details>
  `;
}

function placeHtml({ file, line, column, source }: TextPlace): Html {
  const caret = `${" ".repeat(Math.max(0, column - 1))}^`;
  return html`<pre>${[`${file}:${line}:${column}`, `  ${source}`, `  ${caret}`].join("\n")}</pre>`;
}

function diagnosisHtml({ blame, cause, lines, place }: RecordedDiagnosis): Html {
  return html`<div class="diagnosis"><p><b>Blame ${blame}.</b> ${cause}</p>${
    place && placeHtml(place)
  }
<details class="quiet"><summary>The whole diagnosis</summary><pre>${
    lines.join("\n")
  }</pre></details></div>`;
}

/** Addresses that are listed; the table of all checks has the others. */
const LISTED = 50;

function sameHtml(same: readonly string[]): Html | undefined {
  if (same.length === 0) return undefined;
  const more = same.length - LISTED;
  return html`
    <details class="quiet">
      <summary>The same for ${counted(same.length, "other check")}</summary>
      <ul>${same.slice(0, LISTED).map((address) =>
        html`<li><code>${breakable(address)}</code></li>`
      )}${more > 0 && html`<li>and ${counted(more, "more")}, in the list of all checks</li>`}</ul>
    </details>
  `;
}
