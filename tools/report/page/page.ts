/**
 * A report as one page that asks the network for nothing.
 *
 * @module
 */
import { countVerdicts } from "../../runner/verdict.ts";
import { counted, thousands } from "../numbers.ts";
import type { SavedRecord } from "../record.ts";
import { adaptersSection } from "./adapters.ts";
import { checksSection } from "./checks.ts";
import { coverageSection } from "./coverage.ts";
import { adapterTitle, type PageData, pageData, type PageInput } from "./data.ts";
import { failuresSection } from "./failures.ts";
import { type Html, Html as Raw, html } from "./html.ts";
import { matrixSection } from "./matrix.ts";
import { rooflineSection } from "./roofline.ts";
import script from "./script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };
import { timesSection } from "./times.ts";

/** The page's text. */
export async function reportPage(input: PageInput): Promise<string> {
  const data = pageData(input);
  const { word, sentence } = outcomeOf(data);
  // Only this script may run, whatever a record holds, and nothing may be fetched.
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; ` +
    `script-src 'sha256-${await sha256Base64(script)}'`;
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policy}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>${word}: samebits report</title>
        <style>${new Raw(style)}</style>
      </head>
      <body>
        <a class="skip" href="#matrix">To the matrix</a>
        <header>
    <p class="brand">samebits report</p>
    <h1 class="outcome ${word}">${sentence}</h1>
    ${input.records.map(aboutRecord)}
    <nav aria-label="Sections"><ul>${SECTIONS.map(([id, title]) =>
      html`<li><a href="#${id}">${title}</a></li>`
    )}</ul></nav>
        </header>
        <main>
    ${problemsHtml(data)}
    ${matrixSection(data)}
    ${filtersHtml(data)}
    ${failuresSection(data)}
    ${adaptersSection(data)}
    ${timesSection(data)}
    ${rooflineSection(data)}
    ${coverageSection(data)}
    ${checksSection(data)}
        </main>
        <p id="said" class="unseen" role="status"></p>
        <script>${new Raw(script)}</script>
      </body>
    </html>
  `.text;
}

const SECTIONS: readonly (readonly [id: string, title: string])[] = [
  ["matrix", "Matrix"],
  ["failures", "Failing checks"],
  ["adapters", "Adapters"],
  ["times", "Times"],
  ["roofline", "Roofline"],
  ["coverage", "Coverage"],
  ["checks", "All checks"],
];

/** What all the runs come to: green only where everything is there and passed. */
function outcomeOf({ records, runs, matrix }: PageData): { word: string; sentence: string } {
  const { pass, differ, error } = countVerdicts(runs.flatMap(({ results }) => results));
  const where = `on ${counted(matrix.adapters.length, "adapter")}`;
  if (differ + error > 0) {
    const all = runs.reduce((sum, { results }) => sum + results.length, 0);
    return {
      word: "failed",
      sentence: `${thousands(differ + error)} of ${counted(all, "check")} ` +
        `${differ + error === 1 ? "fails" : "fail"} ${where}`,
    };
  }
  if (pass === 0) return { word: "failed", sentence: "Nothing ran, so nothing is proved" };
  if (records.some(({ kind, ...record }) => kind === "unstarted" || record.exitCode !== 0)) {
    return {
      word: "failed",
      sentence: `${counted(pass, "check")} passed ${where}, not all is proved`,
    };
  }
  return { word: "passed", sentence: `${counted(pass, "check")} passed ${where}` };
}

function aboutRecord(record: SavedRecord): Html {
  const when = record.kind === "merged" ? record.merged : record.started;
  const tree = record.kind === "merged" ? record.runs[0]?.tree : record.tree;
  const parts = [
    `samebits ${record.samebits}`,
    ...tree ? [`commit ${tree.commit.slice(0, 12)}${tree.changes ? " with changes" : ""}`] : [],
    when.replace("T", " ").replace(/\.\d+Z$/, " UTC"),
    ...record.kind === "merged" ? [`${counted(record.runs.length, "run")} merged`] : [],
  ];
  return html`<p class="about">${parts.join(" · ")}</p>`;
}

/** What keeps the records from being a proof. */
function problemsHtml({ records, runs }: PageData): Html | false {
  const problems = [
    ...records.flatMap((record) =>
      record.kind === "merged"
        ? record.problems
        : record.kind === "unstarted"
        ? [`A run on adapter ${record.adapterAsked} did not start: ${record.reason}`]
        : []
    ),
    ...runs.flatMap(({ complete, stopped, adapter, results, planned }) =>
      complete ? [] : [
        `A run on ${adapter.description || adapter.device} has verdicts of ` +
        `${thousands(results.length)} of ${counted(planned, "check")}. ` +
        `${stopped ?? "It was ended from outside."}`,
      ]
    ),
  ];
  if (problems.length === 0) return false;
  return html`
    <section id="problems" aria-labelledby="problems-title">
      <h2 id="problems-title">What is missing</h2>
      <ul>${problems.map((problem) =>
        html`
          <li>
            <pre>${problem}</pre>
          </li>
        `
      )}</ul>
    </section>
  `;
}

function filtersHtml({ matrix }: PageData): Html {
  const choose = (id: string, label: string, options: readonly (readonly [string, string])[]) =>
    html`
      <label
        for="${id}">${label}<select id="${id}"><option value="">all</option>${options.map((
          [value, text],
        ) => html`<option value="${value}">${text}</option>`)}</select></label>
    `;
  return html`<form id="filters" role="search" aria-label="Filter checks" hidden>
<label for="text">Text<input id="text" type="search" autocomplete="off" placeholder="trap:rows=33"></label>
${choose("verdict", "Verdict", ["pass", "differ", "error", "unsupported"].map((one) => [one, one]))}
${choose("kernel", "Kernel", matrix.kernels.map((one) => [one, one]))}
${
    choose(
      "adapter",
      "Adapter",
      matrix.adapters.map((adapter, i) => [String(i), adapterTitle(adapter, matrix)]),
    )
  }
<button type="reset">Reset</button>
<output id="shown" for="text verdict kernel adapter"></output>
</form>`;
}

async function sha256Base64(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}
