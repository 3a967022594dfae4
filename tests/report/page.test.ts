/** The report's page as a text. */
import { expect } from "expect";
import { parseHTML } from "dom";
import { html, jsonHtml } from "../../tools/report/page/html.ts";
import type { PageInput } from "../../tools/report/page/data.ts";
import { reportPage } from "../../tools/report/page/page.ts";
import type { MergedRecord, RunRecord, UnstartedRecord } from "../../tools/report/record.ts";
import type { Baseline } from "../../tools/timing/baseline.ts";
import { HOSTILE, inputOf, largeRecord, twoAdapters } from "./page_records.ts";
import { RECORD, result } from "./record.ts";

interface Element {
  readonly textContent: string;
  readonly id: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

async function documentOf(...input: Parameters<typeof reportPage>): Promise<Element> {
  return (parseHTML(await reportPage(...input)) as unknown as { document: Element }).document;
}

function texts(where: Element, selector: string): string[] {
  return [...where.querySelectorAll(selector)]
    .map(({ textContent }) => textContent.replace(/\s+/g, " ").trim());
}

/** The rows of a table, cells apart. */
function rows(where: Element, selector: string): string[] {
  return [...where.querySelectorAll(selector)].map((row) => texts(row, "th, td").join(" | "));
}

/** Opening tags of what browsers run or fetch. */
const ACTIVE = /<(?:script|img|iframe|object|embed|link|base|form|svg|style)\b[^>]*>/gi;

Deno.test("nothing of a record is ever markup, wherever it stands", async () => {
  const page = await reportPage(twoAdapters());
  expect(page).not.toContain("<script>globalThis");
  expect(page).toContain("&lt;script&gt;globalThis.planted = 1&lt;/script&gt;");
  const scripts = page.match(ACTIVE)!.filter((tag) => tag.startsWith("<script"));
  expect([...new Set(scripts)]).toEqual([
    '<script type="text/html" class="later">', // which a page's own script reads as text
    '<script type="application/json" id="data">',
    "<script>",
  ]);
  expect(scripts.filter((tag) => tag === "<script>").length).toBe(1);
  // The same page of a harmless name has as many tags.
  const harmless = JSON.parse(JSON.stringify(twoAdapters()).replaceAll(HOSTILE, "harmless"));
  const count = (text: string) => text.match(/<(?!wbr)[a-z]/gi)!.length;
  expect(count(page)).toBe(count(await reportPage(harmless)));
});

Deno.test("attributes cannot be left, and a script's data cannot end the script", () => {
  expect(html`<p title="${'" onclick="x'}">`.text).toBe('<p title="&quot; onclick=&quot;x">');
  expect(html`${["<a>", false, undefined, 3]}`.text).toBe("&lt;a&gt;3");
  expect(jsonHtml({ a: "</script><!--" }).text).toBe('{"a":"\\u003c/script>\\u003c!--"}');
});

Deno.test("5,000 checks and 200 failures stay under 3 MB, pictures and all", async () => {
  const page = await reportPage(inputOf(largeRecord(5000, 200)));
  expect(page.match(/<article/g)?.length).toBe(200);
  expect(page.match(/<figure>/g)?.length).toBe(600);
  expect(new TextEncoder().encode(page).length).toBeLessThan(3e6);
});

Deno.test("the page asks nobody for anything", async () => {
  const page = await reportPage(twoAdapters());
  expect(page.match(/(?:src|href|action)="(?!#|data:)|url\(|@import/g)).toBeNull();
  const [policy] = (await documentOf(twoAdapters())).querySelectorAll("meta[http-equiv]");
  expect(policy!.getAttribute("content")).toMatch(
    /^default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-[^ ]+'$/,
  );
});

Deno.test("the matrix comes first, then the failing checks, each with its line", async () => {
  const page = await documentOf(inputOf(RECORD));
  expect([...page.querySelectorAll("section")].map(({ id }) => id)).toEqual(
    ["matrix", "failures", "adapters", "times", "roofline", "coverage", "checks"],
  );
  expect(texts(page, "h1")).toEqual(["3 of 5 checks fail on 1 adapter"]);
  expect(rows(page, ".matrix tbody tr")).toEqual([
    "Q1_DOT | ≠ differ 1 of 2 checks fail 1,445 words",
    "Q1_MM | ! error 2 of 2 checks fail 0 words",
    "Q1_MM4 | … incomplete 1 check 1 unsupported 0 words", // one of six planned has no verdict
  ]);
  // One card for what two checks say alike.
  expect(texts(page, ".again code")).toEqual([
    expect.stringMatching(/^deno task gate --kernel Q1_DOT --workgroup 32 --repeat 4 'q1_0_/),
    expect.stringMatching(/^deno task gate --kernel Q1_MM --workgroup 32 --repeat 4 'q1_0_/),
  ]);
  expect(texts(page, ".failure")[1]).toMatch(/The same for 1 other check/);
});

Deno.test("a page is green only where all is there and passed", async () => {
  const headline = async (...records: PageInput["records"]) =>
    texts(await documentOf(inputOf(...records)), "h1")[0];
  const passed: RunRecord = {
    ...RECORD,
    planned: 1,
    exitCode: 0,
    results: [result("Q1_DOT", { kind: "pass", words: 165 })],
  };
  expect(await headline(passed)).toBe("1 check passed on 1 adapter");
  const killed = { ...passed, complete: false, planned: 9, exitCode: 1 };
  expect(await headline(killed)).toBe("1 check passed on 1 adapter, not all is proved");
  const merged: MergedRecord = {
    format: 2,
    kind: "merged",
    samebits: "0.0.0",
    merged: RECORD.started,
    expected: ["H200"],
    runs: [passed],
    problems: ["No run on an adapter named H200."],
    exitCode: 3,
  };
  expect(await headline(merged)).toMatch(/not all is proved/);
  expect(texts(await documentOf(inputOf(merged)), "#problems li")).toEqual(merged.problems);
  expect(await headline(passed, merged)).toMatch(/^1 check passed/); // the same run twice
  const unstarted: UnstartedRecord = {
    format: 2,
    kind: "unstarted",
    samebits: "0.0.0",
    deno: "2.9.6",
    started: RECORD.started,
    adapterAsked: "default",
    reason: "no adapter",
    exitCode: 3,
  };
  expect(await headline(unstarted)).toBe("Nothing ran, so nothing is proved");
  expect(await headline(passed, unstarted)).toMatch(/not all is proved/);
  const nothing = { ...passed, results: [] };
  expect(await headline(nothing)).toBe("Nothing ran, so nothing is proved");
});

Deno.test("evidence is shown at the check of its own adapter", async () => {
  const { check } = RECORD.results[1]!;
  const evidence = (adapter: string, cause: string) => ({
    adapter,
    check,
    blame: "kernel",
    cause,
    isComplete: true,
    lines: ["whole"],
  });
  const diagnoses = [evidence("A card <& co>", "this"), evidence("Another card", "that")];
  const page = await documentOf({ ...inputOf(RECORD), diagnoses });
  expect(texts(page, ".diagnosis p")).toEqual(["Blame kernel. this"]);
});

Deno.test("pictures show where words differ: drawn from the map, with a text beside", async () => {
  const differences = {
    rows: 4,
    cols: 2,
    map: ["0990", "0001"],
    distances: [3],
    unordered: 0,
    bits: [3, ...new Array(31).fill(0)],
  };
  const mismatch = { words: 8, differing: 3, unwritten: 0, overrun: 0, rows: [1], neighbours: [] };
  const verdict = { kind: "differ", mismatch: { ...mismatch, differences } } as const;
  const page = await documentOf(inputOf({ ...RECORD, results: [result("Q1_MM", verdict)] }));
  const [map, distances, bits] = [...page.querySelectorAll("figure svg")];
  expect([...map!.querySelectorAll(".wrong path")].map((path) => path.getAttribute("d"))).toEqual(
    ["M3 1.5h1", "M1 0.5h2"],
  );
  expect(map!.getAttribute("aria-label")).toMatch(/4 rows and 2 columns: 3 of 8 fields/);
  expect(distances!.getAttribute("aria-label")).toBe("Histogram of distances: 3 at 1 ulp or more");
  expect(bits!.getAttribute("aria-label")).toMatch(/3 in significands, 0 in exponents, 0 signs/);
});

Deno.test("rules that two adapters do not share stand first, marked; the others are folded", async () => {
  const [tables] = [await documentOf(twoAdapters())];
  expect(texts(tables!, "tr.odd th")).toEqual(["fma differs"]);
  expect(texts(tables!, "tr.odd td")).toEqual(["fused", "rounds twice"]);
});

Deno.test("what a kernel was not tried on is told for each adapter", async () => {
  const other = "q1_0_matmul/tile:rows=1,n=128,cols=1,seed=1";
  const record = {
    ...RECORD,
    results: [
      result("Q1_DOT", { kind: "pass", words: 165 }),
      result("Q1_DOT", { kind: "pass", words: 1 }, other),
      result("Q1_MM", { kind: "pass", words: 165 }),
      result("Q1_MM", { kind: "unsupported", reason: "no" }, other),
    ],
    texts: { Q1_DOT: RECORD.texts.Q1_DOT!, Q1_MM: RECORD.texts.Q1_MM! },
  } as const;
  const page = await documentOf(inputOf(record));
  expect(texts(page, "#coverage details")).toEqual([
    `Q1_MM on A card <& co>: 1 case without a verdict on bits ${other}`,
  ]);
  expect(rows(page, "#coverage tbody tr")).toEqual([
    "q1_0_matmul/tile | 2 | rows 1 to 33; n 128 to 256; cols 1 to 5 | 2 | 1",
  ]);
});

/** In ns: the median is 8,000, and the 95th of a hundred is 8,800. */
const SAMPLES = Array.from({ length: 100 }, (_, i) => i < 60 ? 8_000 : 8_800);

Deno.test("times: a baseline's distribution, and a trend once two were kept", async () => {
  const history = [10_000, 8_000].map((medianNs, i) => ({
    accepted: `2026-11-0${i + 1}T00:00:00Z`,
    reason: "r",
    text: "t",
    medianNs,
  }));
  const entry = {
    text: "t",
    bytes: 1_000_000,
    readBytes: 1,
    clock: "timestamps",
    sittings: [{ ns: SAMPLES, read: SAMPLES, arithmetic: SAMPLES }],
    history,
  };
  const { adapter, backend } = RECORD;
  const baseline: Baseline = {
    format: 1,
    samebits: "0",
    environment: { key: "k", adapter, backend, implementation: "Deno 2.9.6", profile: "beef" },
    entries: { "Q1_MM 32 q1_0_matmul/layer:model=x": entry },
  };
  const page = await documentOf({ ...inputOf(RECORD), baselines: [baseline] });
  expect(rows(page, "#times tbody tr")[0]).toMatch(
    /^Q1_MM \| layer:model=x \| 8\.00 µs \| 125 GB\/s \| accepted 2026-11-02 \|/,
  );
  expect([...page.querySelectorAll("#times svg")].map((svg) => svg.getAttribute("aria-label")))
    .toEqual([
      expect.stringMatching(
        /^Distribution: median 0\.0 %, 5th to 95th percentile 0\.0 % to 10\.0 %$/,
      ),
      "Trend of 2 baselines: 2026-11-01 10.0 µs, 2026-11-02 8.00 µs",
    ]);
});
