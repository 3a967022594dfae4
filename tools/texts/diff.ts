/**
 * A unified diff of two texts, each line with its number in both files.
 *
 * @module
 */
import { structuredPatch } from "diff";

/** A text with where its lines stand. */
export interface Side {
  /** What stands after `---` or `+++`. */
  readonly title: string;
  readonly text: string;
  /** The number of the text's line `index`, counted from 0, in its file. */
  lineNumber(index: number): number;
}

// Past this many changed lines the texts are two texts, and a diff is noise that takes minutes.
const MOST_EDITS = 2000;
const MOST_LINES = 200;

/** The diff's lines; `-` is before, `+` is after. */
export function unifiedDiff(before: Side, after: Side): string[] {
  const header = [`--- ${before.title}`, `+++ ${after.title}`];
  const patch = structuredPatch("", "", before.text, after.text, "", "", {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  if (!patch) return [...header, "(the two have too little in common for a diff)"];
  const lines = patch.hunks.flatMap((hunk) => {
    const from = before.lineNumber(hunk.oldStart - 1);
    const to = after.lineNumber(hunk.newStart - 1);
    return [
      `@@ -${from},${hunk.oldLines} +${to},${hunk.newLines} @@`,
      ...numbered(hunk.lines, hunk.oldStart - 1, hunk.newStart - 1, before, after),
    ];
  });
  if (lines.length <= MOST_LINES) return [...header, ...lines];
  const left = lines.length - MOST_LINES;
  return [...header, ...lines.slice(0, MOST_LINES), `(${left} more lines of the diff)`];
}

function numbered(
  lines: readonly string[],
  oldIndex: number,
  newIndex: number,
  before: Side,
  after: Side,
): string[] {
  return lines.map((line) => {
    const sign = line[0]!;
    if (sign === "\\") return `${" ".repeat(14)}${line}`; // "\ No newline at end of file"
    const from = sign === "+" ? "" : String(before.lineNumber(oldIndex++));
    const to = sign === "-" ? "" : String(after.lineNumber(newIndex++));
    const shown = sign === " " ? line.slice(1) : revealed(line.slice(1));
    return `${sign} ${from.padStart(5)} ${to.padStart(5)} | ${shown}`.trimEnd();
  });
}

// Blanks at a line's end, tabs, and every other character without a picture.
const UNSEEN = /[ ]+$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** A changed line with what an eye would miss. */
export function revealed(line: string): string {
  return line.replace(UNSEEN, (unseen) => {
    if (unseen.startsWith(" ")) return "·".repeat(unseen.length);
    const named: Record<string, string> = { "\r": "␍", "\t": "→" };
    return named[unseen] ??
      `<U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
