/**
 * Rows named on a command line.
 *
 * @module
 */
import type { RowRange } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";

/**
 * Reads `0-63,128-191` or `7`: both ends belong to a range.
 *
 * @param rows how many there are
 * @throws {Failure} where the text is not of that form, or names rows that are not there
 */
export function parseRowRanges(text: string, rows: number): RowRange[] {
  return text.split(",").map((part) => {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (!match || last < first) {
      throw new Failure(
        EXIT.usage,
        `Cannot read --rows ${text}: "${part}" is not a row, nor FIRST-LAST with FIRST at most ` +
          "LAST. For instance: --rows 0-63,128-191",
      );
    }
    if (last >= rows) {
      throw new Failure(
        EXIT.usage,
        `Cannot take rows ${part}: the tensor has ${rows.toLocaleString("en-US")} rows, 0 to ` +
          `${rows - 1}. Name rows that it has.`,
      );
    }
    return { first, count: last - first + 1 };
  });
}
