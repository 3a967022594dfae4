/** The page in a real browser. */
import { expect } from "expect";
import { reportPage } from "../../tools/report/page/page.ts";
import { browserIsHere, glanceAt, lookAt } from "./browser/seen.ts";
import { twoAdapters } from "./page_records.ts";

const ignore = !browserIsHere();
const name = (what: string) => ignore ? `NOT RUN, no /usr/bin/chromium here: ${what}` : what;

Deno.test({
  name: name("the page in a browser: quiet, reachable, readable, and its filters and buttons work"),
  ignore,
  fn: async () => {
    const seen = await lookAt(await reportPage(twoAdapters()));
    expect(seen.complaints).toEqual([]);
    expect(seen.requests).toEqual([]);
    expect(seen.violations).toEqual({ light: [], dark: [] });
    expect(seen.phoneOverflow).toBe(0);
    expect(seen.scripts).toBe("undefined");

    expect(seen.pictures.first).toBeLessThan(seen.pictures.last);
    expect(seen.pictures.last).toBe(6 * 3); // the seventh is an error

    const { all, error, kernel, kernelAndAdapter, nothing, saysSo, cell, again } = seen.filters;
    expect(all).toEqual({ failing: 7, told: "7 of 7 failing, 542 of 542 checks" });
    expect(error).toEqual({ failing: 1, told: "1 of 7 failing, 1 of 542 checks" });
    expect(kernel).toEqual({ failing: 6, told: "6 of 7 failing, 180 of 542 checks" });
    expect(kernelAndAdapter).toEqual({ failing: 6, told: "6 of 7 failing, 150 of 542 checks" });
    expect(nothing).toEqual({ failing: 0, told: "0 of 7 failing, 0 of 542 checks" });
    expect(saysSo).toBe(true);
    expect(cell).toEqual(kernelAndAdapter);
    expect(again).toEqual(all);

    expect(seen.list).toEqual({ first: 200, second: 400 });
    expect(seen.copied.line).toMatch(/^deno task gate --kernel Q1_DOT --workgroup 32 /);
    expect(seen.copied.clipboard).toBe(seen.copied.line);
    expect(seen.focused.slice(0, 3)).toEqual(["To the matrix", "Matrix", "Failing checks"]);
    expect(seen.focused).toEqual(expect.arrayContaining(["text", "verdict", "kernel", "adapter"]));
    expect(seen.headings).toEqual([
      "7 of 542 checks fail on 2 adapters",
      "Kernels × adapters",
      "Failing checks",
      "Adapters",
      "Times",
      "Roofline",
      "Coverage",
      "All checks",
    ]);
  },
});

Deno.test({
  name: name("the browser sees what a page must not do"),
  ignore,
  fn: async () => {
    const page = (await reportPage(twoAdapters()))
      // Without the policy, what is planted runs.
      .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
      .replace(
        "</main>",
        `<img src="http://127.0.0.1:9/planted.png"><div style="width:500px">x</div>
        <p style="color:#777;background:#888">faint</p>
        <script>globalThis.planted = 1; console.error("planted")</script></main>`,
      );
    const seen = await lookAt(page);
    expect(seen.complaints).toContain("planted");
    expect(seen.requests).toContain("http://127.0.0.1:9/planted.png");
    expect(seen.violations.light.join("\n")).toMatch(/color-contrast: [^]*image-alt: /);
    expect(seen.violations.dark.join("\n")).toMatch(/color-contrast: /);
    expect(seen.phoneOverflow).toBeGreaterThan(100);
    expect(seen.scripts).toBe("1");
  },
});

Deno.test({
  name: name("what a record could plant does not run, even where escaping failed"),
  ignore,
  fn: async () => {
    const page = (await reportPage(twoAdapters()))
      .replace("</main>", "<script>globalThis.planted = 1</script></main>");
    const seen = await glanceAt(page);
    expect(seen.scripts).toBe("undefined");
    expect(seen.complaints.join("\n")).toMatch(/Content Security Policy/);
  },
});
