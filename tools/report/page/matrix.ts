/**
 * The matrix: kernels down, adapters across.
 *
 * @module
 */
import { counted, thousands } from "../numbers.ts";
import { changeText } from "../times.ts";
import type { Cell, MatrixAdapter } from "../matrix.ts";
import { adapterTitle, type PageData } from "./data.ts";
import { type Html, html } from "./html.ts";
import { section, table } from "./section.ts";
import { badge, legend } from "./verdicts.ts";

export function matrixSection({ matrix }: PageData): Html {
  const { kernels, adapters, cells } = matrix;
  if (adapters.length === 0) {
    return section("matrix", "Kernels × adapters", html`<p>No run was recorded.</p>`);
  }
  const head = adapters.map((adapter) =>
    html`<th scope="col">${adapterTitle(adapter, matrix)}${aboutAdapter(adapter)}</th>`
  );
  const rows = kernels.map((kernel, i) =>
    html`<tr><th scope="row">${kernel}</th>${
      cells[i]!.map((cell, j) => cellHtml(cell, kernel, j))
    }</tr>`
  );
  return section(
    "matrix",
    "Kernels × adapters",
    html`${
      table(
        "Verdict of each kernel on each adapter",
        html`
          <thead>
            <tr><th scope="col">kernel</th>${head}</tr>
          </thead>
          <tbody>${rows}</tbody>
        `,
        "matrix",
      )
    }
<details class="quiet"><summary>What the verdicts mean</summary>${legend()}</details>`,
  );
}

function aboutAdapter({ backend, software, profile, runs }: MatrixAdapter): Html {
  const kind = software ? "software" : "hardware";
  const parts = [kind, backend, profile ? `profile ${profile}` : "profile not measured"];
  const shards = runs.length > 1 ? [counted(runs.length, "run")] : [];
  return html`<small>${[...parts, ...shards].join(" · ")}</small>`;
}

function cellHtml(cell: Cell, kernel: string, column: number): Html {
  const { verdict, checks, counts, words, seconds, time } = cell;
  if (verdict === "none") return html`<td>${badge(verdict)}</td>`;
  const failed = counts.differ + counts.error;
  const lines = [
    failed > 0
      ? `${thousands(failed)} of ${counted(checks, "check")} fail`
      : counted(checks, "check"),
    ...counts.unsupported > 0 ? [`${thousands(counts.unsupported)} unsupported`] : [],
    `${thousands(words)} words`,
    ...seconds > 0 ? [`${seconds.toFixed(seconds < 10 ? 2 : 0)} s`] : [],
    ...time ? [`time ${time.verdict}: at most ${changeText(time.worst)}`] : [],
  ];
  const shown = failed > 0
    ? html`<a href="#filters" data-kernel="${kernel}" data-adapter="${column}">${
      badge(verdict)
    }</a>`
    : badge(verdict);
  return html`<td>${shown}${
    lines.map((line) =>
      html`
        <small>${line}</small>
      `
    )
  }</td>`;
}
