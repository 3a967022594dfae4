/**
 * What a browser saw of a page.
 *
 * @module
 */
import { fromFileUrl } from "../../support/paths.ts";

export const CHROMIUM = "/usr/bin/chromium";

interface Filtered {
  /** Cards of failing checks in sight. */
  readonly failing: number;
  /** What the page says of how many are shown. */
  readonly told: string;
}

/** What is seen of a page that is opened, and no more. */
export type Glance = Pick<Seen, "complaints" | "requests" | "scripts">;

export interface Seen {
  /** Errors and warnings, and what the page's policy refused. */
  readonly complaints: readonly string[];
  /** Whom the page asked for something, other than for itself. */
  readonly requests: readonly string[];
  /** Of accessibility, each with its first place. */
  readonly violations: Readonly<Record<"light" | "dark", readonly string[]>>;
  /** Pixels that the page is wider than a window of 360. */
  readonly phoneOverflow: number;
  /** Of failing checks, before and after the last of those comes into sight. */
  readonly pictures: { readonly first: number; readonly last: number };
  readonly filters: {
    readonly all: Filtered;
    readonly error: Filtered;
    /** The first kernel alone; then on the first adapter. */
    readonly kernel: Filtered;
    readonly kernelAndAdapter: Filtered;
    readonly nothing: Filtered;
    readonly saysSo: boolean;
    /** After a click on the first failing cell of the matrix. */
    readonly cell: Filtered;
    readonly again: Filtered;
  };
  /** Rows of the list of all checks, before and after "Show more". */
  readonly list: { readonly first: number; readonly second: number };
  readonly copied: { readonly line: string; readonly clipboard: string };
  /** What the Tab key leads to, in order. */
  readonly focused: readonly string[];
  readonly headings: readonly string[];
  /** `undefined` where no script that a test planted ran. */
  readonly scripts: string;
}

/** Is there a browser? Where there is none, tests that need it say that they were not run. */
export function browserIsHere(): boolean {
  try {
    return Deno.statSync(CHROMIUM).isFile;
  } catch {
    return false;
  }
}

/** Has a browser do with the page all that a reader does. */
export function lookAt(page: string): Promise<Seen> {
  return show(page, "all") as Promise<Seen>;
}

/** Has a browser open the page. */
export function glanceAt(page: string): Promise<Glance> {
  return show(page, "quick");
}

async function show(page: string, how: "all" | "quick"): Promise<Glance> {
  const folder = Deno.makeTempDirSync();
  try {
    const file = `${folder}/index.html`;
    Deno.writeTextFileSync(file, page);
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "--frozen", "--allow-all", "look.ts", file, how],
      cwd: fromFileUrl("../report/browser/"),
      stdout: "piped",
      stderr: "piped",
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
