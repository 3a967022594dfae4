/**
 * A person with a browser, in a process of its own: opens a page in Debian's Chromium, does what a
 * reader does, and prints what was seen as JSON. A process of its own, because playwright looks at
 * files that Deno lets it see with all permissions alone.
 *
 * @module
 */
import axe from "axe";
import { type Browser, chromium, type Page } from "browser";
import { CHROMIUM, type Glance, type Seen } from "./seen.ts";

const ARGS = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const PHONE = 360;
const DESK = 1280;

/** @param quick only opens the page */
async function look(file: string, quick: boolean): Promise<Glance | Seen> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    const complaints: string[] = [];
    const requests: string[] = [];
    const open = (colorScheme: "light" | "dark", width: number) =>
      openPage(browser, file, { colorScheme, width, complaints, requests });
    const light = await open("light", DESK);
    const scripts = await light.evaluate("String(globalThis.planted)") as string;
    if (quick) return { complaints, requests, scripts };
    const violations = {
      light: await violationsOf(await open("light", DESK)),
      dark: await violationsOf(await open("dark", DESK)),
    };
    const phone = await open("light", PHONE);
    return {
      complaints,
      requests,
      violations,
      phoneOverflow: await overflowOf(phone),
      pictures: await pictures(light),
      filters: await filter(light),
      list: await listAll(light),
      copied: await copy(light),
      focused: await tabThrough(await open("light", DESK)),
      headings: await light.locator("h1, h2").allTextContents(),
      scripts,
    };
  } finally {
    await browser.close();
  }
}

interface Opening {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly complaints: string[];
  readonly requests: string[];
}

async function openPage(browser: Browser, file: string, opening: Opening): Promise<Page> {
  const { colorScheme, width, complaints, requests } = opening;
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const own = `file://${file}`;
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== own && !url.startsWith("data:")) requests.push(url);
  });
  await page.goto(own);
  return page;
}

/** Axe looks at each element in turn; hundreds of rows made alike would take it a minute. */
const OPEN_ALL = `
  dispatchEvent(new Event("beforeprint"));
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  new Promise((resolve) => setTimeout(resolve, 100)).then(() => {
    for (const row of document.querySelectorAll("#rows tr:nth-child(n+4), li:nth-child(n+9)")) row.remove();
  });
`;

/** Every rule of accessibility that axe finds broken, with the first place; all folds open. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(OPEN_ALL);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate("axe.run({ resultTypes: ['violations'] })") as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
}

/** Pixels that the page is wider than its window. */
async function overflowOf(page: Page): Promise<number> {
  await page.evaluate(OPEN_ALL);
  return await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

/** Pictures in the page before and after its last failing check comes into sight. */
async function pictures(page: Page): Promise<Seen["pictures"]> {
  const count = () => page.locator(".failure figure svg").count();
  const first = await count();
  await page.locator(".failure").last().scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  return { first, last: await count() };
}

/** Waits for an expression to hold. Playwright's own way to wait evaluates in the page, whose policy forbids it. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; !(await page.evaluate(expression)); tries++) {
    if (tries === 200) throw new Error(`never came true: ${expression}`);
    await page.waitForTimeout(20);
  }
}

async function filter(page: Page): Promise<Seen["filters"]> {
  const count = async () => ({
    failing: await page.locator(".failure:visible").count(),
    told: await page.locator("#shown").textContent() ?? "",
  });
  const all = await count();
  // The page filters once the form is reset, a moment after the click.
  const isAll = `document.getElementById("shown").textContent === ${JSON.stringify(all.told)}`;
  const reset = async () => {
    await page.getByRole("button", { name: "Reset" }).click();
    await until(page, isAll);
  };
  await page.locator("#verdict").selectOption("error");
  const error = await count();
  await page.locator("#verdict").selectOption("");
  await page.locator("#kernel").selectOption({ index: 1 });
  const kernel = await count();
  await page.locator("#adapter").selectOption({ index: 1 });
  const kernelAndAdapter = await count();
  await reset();
  await page.locator("#text").fill("NO SUCH CASE");
  const nothing = await count();
  const saysSo = await page.getByText("No failing check matches").isVisible();
  await reset();
  await page.locator(".matrix a").first().click();
  await until(page, `!(${isAll})`);
  const cell = await count();
  await reset();
  return { all, error, kernel, kernelAndAdapter, nothing, saysSo, cell, again: await count() };
}

async function listAll(page: Page): Promise<Seen["list"]> {
  await page.evaluate("document.getElementById('all').open = true");
  await page.locator("#rows tr").first().waitFor();
  const first = await page.locator("#rows tr").count();
  const more = page.locator("#more");
  if (await more.isVisible()) await more.click();
  return { first, second: await page.locator("#rows tr").count() };
}

async function copy(page: Page): Promise<Seen["copied"]> {
  const button = page.locator("button.copy").first();
  const line = await page.locator(".again code").first().textContent() ?? "";
  await button.click();
  await page.getByText("Command copied").waitFor({ state: "attached" });
  const clipboard = await page.evaluate("navigator.clipboard.readText()") as string;
  return { line, clipboard };
}

/** Where the Tab key leads, one by one. */
async function tabThrough(page: Page): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(
        "(({ activeElement: a }) => a.id || a.getAttribute('aria-label') || a.textContent.trim())" +
          "(document)",
      ),
    );
  }
  return names;
}

if (import.meta.main) {
  const [file, how] = Deno.args;
  console.log(JSON.stringify(await look(file!, how === "quick")));
}
