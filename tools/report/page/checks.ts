/**
 * All checks, as data that the page's script makes rows of: thousands of rows would be megabytes.
 *
 * @module
 */
import { counted } from "../numbers.ts";
import { adapterTitle, columnOf, type PageData } from "./data.ts";
import { type Html, html, jsonHtml } from "./html.ts";
import { section, table } from "./section.ts";

/** In the order that the script knows them by. */
const VERDICTS = ["pass", "differ", "error", "unsupported"] as const;

export function checksSection(data: PageData): Html {
  const { runs, matrix } = data;
  const addresses = new Map<string, number>();
  const placeOf = (address: string) => {
    if (!addresses.has(address)) addresses.set(address, addresses.size);
    return addresses.get(address)!;
  };
  // Seven numbers a check.
  const checks = runs.flatMap((run) => {
    const adapter = matrix.adapters.indexOf(columnOf(run, matrix));
    return run.results.flatMap(({ check, verdict, seconds = 0 }) => [
      matrix.kernels.indexOf(check.kernel),
      adapter,
      check.workgroup,
      placeOf(check.address),
      VERDICTS.indexOf(verdict.kind),
      verdict.kind === "pass"
        ? verdict.words
        : verdict.kind === "differ"
        ? verdict.mismatch.words
        : 0,
      Math.round(seconds * 1e6),
    ]);
  });
  const content = {
    kernels: matrix.kernels,
    adapters: matrix.adapters.map((adapter) => adapterTitle(adapter, matrix)),
    verdicts: VERDICTS,
    addresses: [...addresses.keys()],
    checks,
  };
  return section(
    "checks",
    "All checks",
    html`<details id="all"><summary>${
      counted(checks.length / 7, "check")
    } with their verdicts</summary>
${
      table(
        "All checks that match the filters",
        html`
          <thead>
            <tr>
              <th scope="col">verdict</th>
              <th scope="col">kernel</th>
              <th scope="col" class="number">workgroup</th>
              <th scope="col">case</th>
              <th scope="col">adapter</th>
              <th scope="col" class="number">words</th>
              <th scope="col" class="number">ms</th>
            </tr>
          </thead>
          <tbody id="rows"></tbody>
        `,
      )
    }
<button type="button" id="more" hidden>Show more</button></details>
<script type="application/json" id="data">${jsonHtml(content)}</script>`,
  );
}
