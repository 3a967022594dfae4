/**
 * Where differing words lie, in words.
 *
 * @module
 */
import type { Grid, WordKind } from "../../cases/family.ts";

/** Columns of the tile that kernels share decoded weights over. */
const TILE = 4;
const STEPS = [2, 4, 8, 16, 32, 64];

/** Describes a set of places in the grid; the places are indices of words, ascending. */
export function pictureOf(places: readonly number[], { rows, cols }: Grid): string {
  const count = places.length;
  if (count === 0) return "no word";
  if (count === rows * cols) return "every word";
  const inRows = new Set(places.map((at) => at % rows));
  const inCols = new Set(places.map((at) => Math.floor(at / rows)));
  if (count === 1) return `one word, row ${[...inRows][0]}, column ${[...inCols][0]}`;
  const where = [columnsOf(inCols, cols), rowsOf(inRows, rows)].filter((part) => part !== "");
  const isWhole = count === inRows.size * inCols.size;
  const extent = isWhole ? "all words" : `${count} of ${inRows.size * inCols.size} words`;
  return where.length === 0
    ? `scattered over all rows and columns: ${extent}`
    : isWhole
    ? `${extent} of ${where.join(", ")}`
    : `${extent} within ${where.join(", ")}`;
}

function columnsOf(inCols: ReadonlySet<number>, cols: number): string {
  if (inCols.size === cols) return "";
  const list = [...inCols].sort((a, b) => a - b);
  const lastTile = cols - (cols % TILE || TILE);
  const isRun = list.at(-1)! - list[0]! + 1 === list.length;
  if (isRun && list[0] === lastTile && list.at(-1) === cols - 1) {
    const partial = cols % TILE === 0 ? "" : " partial";
    return `the last${partial} tile of columns (${span("column", list)})`;
  }
  return isRun ? span("column", list) : classOf("column", list, cols);
}

function rowsOf(inRows: ReadonlySet<number>, rows: number): string {
  if (inRows.size === rows) return "";
  const list = [...inRows].sort((a, b) => a - b);
  if (list.at(-1)! - list[0]! + 1 === list.length) {
    const isEnd = list.at(-1) === rows - 1;
    return isEnd ? `the last rows (${span("row", list)})` : span("row", list);
  }
  return classOf("row", list, rows);
}

function span(noun: string, list: readonly number[]): string {
  return list.length === 1 ? `${noun} ${list[0]}` : `${noun}s ${list[0]} to ${list.at(-1)}`;
}

/** Every so many-th one, where they are. */
function classOf(noun: string, list: readonly number[], all: number): string {
  for (const step of STEPS.toReversed()) {
    const rest = list[0]! % step;
    const members = Math.ceil((all - rest) / step);
    if (list.every((at) => at % step === rest) && list.length === members) {
      return `every ${step}th ${noun} from ${rest}`;
    }
  }
  return `${list.length} of ${all} ${noun}s`;
}

/** The bits that are ever wrong, where they are few. */
export function wrongBits(
  places: readonly number[],
  expected: Uint32Array,
  actual: Uint32Array,
  kind: WordKind,
): string | undefined {
  let mask = 0;
  for (const at of places) mask |= expected[at]! ^ actual[at]!;
  const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (mask >>> bit) & 1);
  if (bits.length > 2) return undefined;
  return bits.length === 1 && bits[0] === 31 && kind === "f32"
    ? "only the sign is wrong"
    : `only bit ${bits.join(" and bit ")} of the words is wrong`;
}
