/**
 * Times against their baselines: distributions, and the trend over the baselines that were kept.
 *
 * @module
 */
import { median } from "statistics";
import { adapterName } from "../../runner/adapter.ts";
import type { Baseline, BaselineEntry } from "../../timing/baseline.ts";
import type { BenchRecord, BenchResult } from "../../timing/bench_record.ts";
import type { Environment } from "../../timing/key.ts";
import { counted } from "../numbers.ts";
import { intervalText, nsText, rateText, verdictText } from "../times.ts";
import type { PageData } from "./data.ts";
import { breakable, type Html, html } from "./html.ts";
import { section, table } from "./section.ts";
import { distributionPicture, rangeOf, type Series, trendPicture } from "./time_pictures.ts";

export function timesSection({ benches, baselines }: PageData): Html {
  const environments = environmentsOf(benches, baselines);
  return section(
    "times",
    "Times",
    environments.length === 0
      ? html`<p>No times were given, and there is no baseline of these adapters. A bench keeps one: <code>deno task bench --accept --reason "…"</code></p>`
      : html`${environments.map(environmentHtml)}`,
  );
}

interface Timed {
  readonly environment: Environment;
  readonly baseline?: Baseline;
  readonly bench?: BenchRecord;
}

/** Each adapter and toolchain once, with its baseline and its latest bench. */
function environmentsOf(
  benches: readonly BenchRecord[],
  baselines: readonly Baseline[],
): Timed[] {
  const found = new Map<string, Timed>();
  const add = (one: Timed) => {
    const { key } = one.environment;
    found.set(key, { ...found.get(key), ...one });
  };
  for (const baseline of baselines) add({ environment: baseline.environment, baseline });
  const inOrder = [...benches].filter(({ smoke }) => !smoke)
    .sort((a, b) => a.started < b.started ? -1 : 1);
  for (const bench of inOrder) add({ environment: bench.environment, bench });
  return [...found.values()];
}

/** A kernel on a case, timed now, before, or both. */
interface Row {
  readonly kernel: string;
  readonly address: string;
  readonly entry?: BaselineEntry;
  readonly now?: BenchResult;
}

function environmentHtml({ environment, baseline, bench }: Timed): Html {
  const rows = rowsOf(baseline, bench);
  const all = rows.map(seriesOf);
  const range = rangeOf(all.flat());
  const { adapter, backend, implementation, processor } = environment;
  const name = adapterName(adapter);
  const from = bench ? `Timed ${dayOf(bench.started)}. ` : "Not timed now: the baseline alone. ";
  const [left, right] = range.map((part) =>
    `${part < 0 ? "−" : "+"}${Math.abs(part * 100).toFixed(0)} %`
  );
  return html`
    <h3>${name}</h3>
    <p
      class="about">${[backend, implementation, ...processor ? [processor] : []].join(
        ", ",
      )}. ${from}Distributions are drawn from ${left!} to ${right!} of the row's first median: a line from the 5th to the 95th percentile, half of all samples in the bar, the median across it${bench &&
        baseline && "; the baseline above, the times of now below"}.</p>
    ${table(
      `Times on ${name}`,
      html`
        <thead>
          <tr>
            <th scope="col">kernel</th>
            <th scope="col">case</th>
            <th scope="col" class="number">median</th>
            <th scope="col" class="number">rate</th>
            <th scope="col">against the baseline</th>
            <th scope="col">distribution</th>
            <th scope="col">trend</th>
          </tr>
        </thead>
        <tbody>${rows.map((row, i) => rowHtml(row, all[i]!, range))}</tbody>
      `,
      "times",
    )}
  `;
}

function rowsOf(baseline: Baseline | undefined, bench: BenchRecord | undefined): Row[] {
  const entries = baseline?.entries ?? {};
  const results = new Map(bench?.results.map((result) => [result.target.id, result]));
  return [...new Set([...Object.keys(entries), ...results.keys()])].map((id) => {
    const [kernel, , address] = id.split(" ") as [string, string, string];
    const [entry, now] = [entries[id], results.get(id)];
    return { kernel, address, ...(entry && { entry }), ...(now && { now }) };
  });
}

function seriesOf({ entry, now }: Row): Series[] {
  const samples = [entry, now].flatMap((one) => one ? [one.sittings.flatMap(({ ns }) => ns)] : []);
  const first = median(samples[0]!);
  return samples.map((ns) => ns.map((one) => one / first - 1));
}

function rowHtml(row: Row, series: readonly Series[], range: readonly [number, number]): Html {
  const { kernel, address, entry, now } = row;
  const medianNs = now?.medianNs ?? median(entry!.sittings.flatMap(({ ns }) => ns));
  const bytes = now?.bytes ?? entry!.bytes;
  return html`
    <tr>
      <th scope="row">${kernel}</th>
      <td><code>${breakable(address.replace(/^[^/]*\//, ""))}</code></td>
      <td class="number">${nsText(medianNs)}</td>
      <td class="number">${rateText(bytes / medianNs * 1e9)}</td>
      <td>${againstHtml(row)}</td>
      <td>${distributionPicture(series, range)}</td>
      <td>${trendHtml(entry)}</td>
    </tr>
  `;
}

function againstHtml({ entry, now }: Row): Html {
  if (!now) return html`accepted <small>${dayOf(entry!.history.at(-1)!.accepted)}</small>`;
  const { comparison } = now;
  if (!comparison) return html`no baseline`;
  const [verdict, ...why] = verdictText(comparison).split(": ");
  return html`${verdict} <small>${intervalText(comparison.ratio)}${
    why.length > 0 && `; ${why.join(": ")}`
  }</small>`;
}

function trendHtml(entry: BaselineEntry | undefined): Html {
  const history = entry?.history ?? [];
  if (history.length < 2) return html`${counted(history.length, "baseline")} kept`;
  return trendPicture(history);
}

function dayOf(iso: string): string {
  return iso.slice(0, 10);
}
