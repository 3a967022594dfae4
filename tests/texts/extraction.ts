/** A table of sources and what the constant T is worth in each. */

import { expect } from "expect";
import { extract, type Files } from "./memory_engine.ts";

/** A case: the file or files, and what its T is worth. */
export interface ExtractionCase {
  readonly what: string;
  readonly source: string;
  readonly others?: Files;
  /** The text; of several constants T, each one's; an empty list where there is none. */
  readonly want?: string | readonly string[];
  /** Why it cannot be compared as text. */
  readonly open?: RegExp;
}

export function testExtraction(file: string, cases: readonly ExtractionCase[]): void {
  for (const { what, source, others, want, open } of cases) {
    Deno.test(`${file}: ${what}`, () => {
      const { constants } = extract({ [file]: source, ...others });
      const values = constants.filter(({ name }) => name === "T").map(({ value }) => value);
      if (open) {
        expect(values.map(({ kind }) => kind)).toEqual(["open"]);
        expect(values.map((value) => value.kind === "open" && value.reason)[0]).toMatch(open);
        return;
      }
      expect(values.map((value) => value.kind === "open" ? value.reason : value.text))
        .toEqual(typeof want === "string" ? [want] : want);
    });
  }
}
