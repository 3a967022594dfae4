/**
 * The adapters, side by side.
 *
 * @module
 */
import { counted, thousands } from "../numbers.ts";
import type { MatrixAdapter } from "../matrix.ts";
import { adapterTitle, type PageData } from "./data.ts";
import { type Html, html } from "./html.ts";
import { section, table } from "./section.ts";

export function adaptersSection({ matrix }: PageData): Html {
  const { adapters } = matrix;
  if (adapters.length === 0) {
    return section("adapters", "Adapters", html`<p>No adapter reported.</p>`);
  }
  const names = adapters.map((adapter) =>
    html`<th scope="col">${adapterTitle(adapter, matrix)}</th>`
  );
  const facts = FACTS.map(([what, factOf]) =>
    html`<tr><th scope="row">${what}</th>${
      adapters.map((one) => html`<td>${factOf(one)}</td>`)
    }</tr>`
  );
  return section(
    "adapters",
    "Adapters",
    html`${
      table(
        "What each adapter says of itself",
        html`
          <thead>
            <tr><th scope="col">fact</th>${names}</tr>
          </thead>
          <tbody>${facts}</tbody>
        `,
      )
    }
<h3>Arithmetic that they keep</h3>
${profilesHtml(adapters, names)}`,
  );
}

const FACTS: readonly (readonly [what: string, of: (adapter: MatrixAdapter) => string])[] = [
  ["kind", ({ software }) => software ? "software, on the CPU" : "hardware"],
  ["backend", ({ backend }) => backend],
  ["vendor, device", ({ runs }) => `${runs[0]!.adapter.vendor}, ${runs[0]!.adapter.device}`],
  ["subgroups of", ({ runs }) => subgroupText(runs[0]!.adapter)],
  ["driver file", ({ runs }) => runs[0]!.driverFile ?? "not named"],
  ["largest storage binding", ({ runs }) => {
    const bytes = runs[0]!.adapter.limits.maxStorageBufferBindingSize;
    return bytes === undefined ? "not told" : `${thousands(Math.round(bytes / 2 ** 20))} MiB`;
  }],
  ["Deno", ({ runs }) => runs[0]!.deno],
  ["profile", ({ runs }) => runs[0]!.profile?.key ?? "could not be measured"],
];

function subgroupText(
  { subgroupMinSize: least, subgroupMaxSize: most }: MatrixAdapter["runs"][number]["adapter"],
): string {
  if (most === undefined) return "not told";
  return least === most ? String(most) : `${least} to ${most}`;
}

/** The rules that differ first; those that all keep alike are folded away. */
function profilesHtml(adapters: readonly MatrixAdapter[], names: readonly Html[]): Html {
  const rules = adapters.map(({ runs }) => runs[0]!.profile?.rules);
  const all = [...new Set(rules.flatMap((one) => Object.keys(one ?? {})))];
  if (all.length === 0) return html`<p>The rules of no adapter were measured.</p>`;
  const answers = (rule: string) => rules.map((one) => one?.[rule]);
  const measured = (rule: string) => answers(rule).filter((answer) => answer !== undefined);
  const isDifferent = (rule: string) => new Set(measured(rule)).size > 1;
  const head = html`
    <thead>
      <tr><th scope="col">rule</th>${names}</tr>
    </thead>
  `;
  const row = (rule: string) =>
    html`<tr${
      isDifferent(rule) && html`
        class="odd"
      `
    }><th scope="row">${rule.replaceAll("_", " ")}${
      isDifferent(rule) && html`
        <span class="mark">differs</span>
      `
    }</th>${answers(rule).map((answer) => html`<td>${answerText(answer)}</td>`)}</tr>`;
  const different = all.filter(isDifferent);
  const alike = all.filter((rule) => !isDifferent(rule));
  const differing = different.length > 0
    ? table("Rules that differ", html`${head}<tbody>${different.map(row)}</tbody>`)
    : adapters.length > 1 && html`<p>No rule differs between these adapters.</p>`;
  const kept = alike.length > 0 &&
    html`<details class="quiet"><summary>${counted(alike.length, "rule")} ${
      adapters.length > 1 ? "that all keep alike" : "of this adapter"
    }</summary>${
      table("Rules that do not differ", html`${head}<tbody>${alike.map(row)}</tbody>`)
    }</details>`;
  return html`${differing}${kept}`;
}

function answerText(answer: string | number | undefined): string {
  return answer === undefined ? "not measured" : String(answer).replaceAll("_", " ");
}
