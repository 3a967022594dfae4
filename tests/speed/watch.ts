/**
 * How soon `watch` has verdicts after a save, and how soon a large report opens:
 * `deno run --allow-all tests/speed/watch.ts [SAVES]`. Prints figures; judges nothing.
 *
 * @module
 */
import { chromium } from "browser";
import { reportPage } from "../../tools/report/page/page.ts";
import { browserIsHere, CHROMIUM } from "../report/browser/seen.ts";
import { inputOf, largeRecord } from "../report/page_records.ts";
import { pause, Watching } from "../watch/watching.ts";

const TEXT = "kernels/q1_mm.wgsl";
const RECIPE = "kernels/q1_mm.ts";
const CASES = "cases/q1_0_matmul/list.ts";

/** Milliseconds from a save to the first verdict on the terminal, all cases of one kernel chosen. */
async function watchTimes(saves: number): Promise<void> {
  await Watching.on(["--kernel", "Q1_MM"], async (watching) => {
    await pause(1500); // the process that stands by is there
    for (const file of [TEXT, RECIPE]) {
      const before = watching.read(file);
      const times: number[] = [];
      for (let i = 0; i < saves; i++) {
        const first = watching.next(/^first /m);
        const begun = performance.now();
        watching.write(file, `${before}// ${i}\n`);
        await first;
        times.push(performance.now() - begun);
        await watching.rest();
        await pause(1500);
      }
      await watching.save(file, before);
      tell(`watch, ${file}`, times);
    }
    const before = watching.read(CASES);
    const times: number[] = [];
    for (let i = 0; i < saves; i++) {
      await watching.save(CASES, before.replace("seed: 5000 + i", "seed: 6000 + i"));
      await pause(1500);
      const first = watching.next(/^first /m);
      const begun = performance.now();
      watching.write(CASES, before);
      await first;
      times.push(performance.now() - begun);
      await watching.rest();
      await pause(1500);
    }
    tell(`watch, ${CASES}`, times);
  });
}

/** Milliseconds from opening the page to its `load`, a tab of its own each time. */
async function openingTimes(openings: number): Promise<void> {
  if (!browserIsHere()) return console.log(`page: not measured, there is no ${CHROMIUM}`);
  const file = `${Deno.makeTempDirSync()}/index.html`;
  const page = await reportPage(inputOf(largeRecord(5000, 200)));
  Deno.writeTextFileSync(file, page);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const times: number[] = [];
  for (let i = 0; i < openings; i++) {
    const tab = await browser.newPage();
    const begun = performance.now();
    await tab.goto(`file://${file}`);
    times.push(performance.now() - begun);
    await tab.close();
  }
  await browser.close();
  tell(`page of 5,000 checks and 200 failures, ${(page.length / 1e6).toFixed(2)} MB`, times);
}

function tell(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round);
  console.log(
    `${what}: median ${sorted[sorted.length >> 1]} ms, worst ${sorted.at(-1)} ms ` +
      `of ${sorted.length}`,
  );
}

const runs = Number(Deno.args[0] ?? 10);
await openingTimes(runs);
await watchTimes(runs);
