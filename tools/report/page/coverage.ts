/**
 * What was tried: cases by group and shape, and what each kernel was not tried on.
 *
 * @module
 */
import type { Result } from "../../runner/verdict.ts";
import { counted, thousands } from "../numbers.ts";
import { adapterTitle, columnOf, type PageData } from "./data.ts";
import { breakable, type Html, html } from "./html.ts";
import { section, table } from "./section.ts";

export function coverageSection(data: PageData): Html {
  const results = data.runs.flatMap((run) => run.results);
  const addresses = [...new Set(results.map(({ check }) => check.address))];
  if (addresses.length === 0) {
    return section("coverage", "Coverage", html`<p>No case was run.</p>`);
  }
  const groups = [...Map.groupBy(addresses, groupOf)];
  const { kernels } = data.matrix;
  const tried = new Map(
    kernels.map((kernel) => [kernel, new Set(results.filter(isTriedBy(kernel)).map(addressOf))]),
  );
  const rows = groups.map(([group, list]) =>
    html`<tr><th scope="row">${group}</th><td class="number">${thousands(list.length)}</td><td>${
      shapesText(list)
    }</td>${
      kernels.map((kernel) => {
        const count = list.filter((address) => tried.get(kernel)!.has(address)).length;
        return html`<td class="number${count < list.length && " short"}">${thousands(count)}</td>`;
      })
    }</tr>`
  );
  const head = kernels.map((kernel) => html`<th scope="col" class="number">${kernel}</th>`);
  return section(
    "coverage",
    "Coverage",
    html`${
      table(
        "Cases by group, and how many of them each kernel came to a verdict on",
        html`
          <thead>
            <tr><th scope="col">group</th><th scope="col" class="number">cases</th><th scope="col">shapes</th>${head}</tr>
          </thead>
          <tbody>${rows}</tbody>
        `,
      )
    }
<h3>Not tried</h3>
${notTriedHtml(data, addresses)}`,
  );
}

function addressOf({ check }: Result): string {
  return check.address;
}

/** Did it come to a verdict on bits, on any adapter? */
function isTriedBy(kernel: string): (result: Result) => boolean {
  return ({ check, verdict }) =>
    check.kernel === kernel && (verdict.kind === "pass" || verdict.kind === "differ");
}

function groupOf(address: string): string {
  return address.split(":")[0]!;
}

/** Values of a text parameter that are listed. */
const VALUES_NAMED = 4;

/** The parameters of a group's addresses: numbers as ranges, words listed. The seed is no shape. */
function shapesText(addresses: readonly string[]): string {
  const values = new Map<string, Set<string>>();
  for (const address of addresses) {
    for (const pair of address.slice(address.indexOf(":") + 1).split(",")) {
      const [name, value = ""] = pair.split("=") as [string, string?];
      if (name !== "seed") values.set(name, (values.get(name) ?? new Set()).add(value));
    }
  }
  return [...values].map(([name, set]) => `${name} ${rangeText([...set])}`).join("; ");
}

function rangeText(values: readonly string[]): string {
  const numbers = values.map(Number);
  if (numbers.every(Number.isFinite)) {
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    return least === most ? thousands(least) : `${thousands(least)} to ${thousands(most)}`;
  }
  const more = values.length - VALUES_NAMED;
  return `${values.slice(0, VALUES_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Addresses that are listed. */
const LISTED = 100;

/** Kernel by kernel and adapter by adapter: what is right on one of them may be wrong on another. */
function notTriedHtml({ matrix, runs }: PageData, all: readonly string[]): Html {
  const pairs = matrix.kernels.flatMap((kernel) =>
    matrix.adapters.map((adapter) => {
      const results = runs.filter((run) => columnOf(run, matrix) === adapter)
        .flatMap((run) => run.results);
      const tried = new Set(results.filter(isTriedBy(kernel)).map(addressOf));
      const name = adapterTitle(adapter, matrix);
      return { kernel, name, left: all.filter((address) => !tried.has(address)) };
    })
  ).filter(({ left }) => left.length > 0);
  if (pairs.length === 0) {
    return html`<p>Every kernel was tried on every case here, on every adapter.</p>`;
  }
  return html`${pairs.map(pairHtml)}`;
}

function pairHtml(
  { kernel, name, left }: { kernel: string; name: string; left: readonly string[] },
): Html {
  const more = left.length - LISTED;
  return html`
    <details class="quiet">
      <summary><b>${kernel}</b> on ${name}: ${counted(
        left.length,
        "case",
      )} without a verdict on bits</summary>
      <ul>${left.slice(0, LISTED).map((address) =>
        html`<li><code>${breakable(address)}</code></li>`
      )}${more > 0 && html`<li>and ${counted(more, "more")}</li>`}</ul>
    </details>
  `;
}
