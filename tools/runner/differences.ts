/**
 * Where differing words lie and how they differ, small enough for a record to keep: what pictures
 * are drawn from.
 *
 * @module
 */
import type { Grid } from "../../cases/family.ts";
import { type Held, isRight } from "./held.ts";
import { poisonFor } from "./poison.ts";
import type { Differences } from "./verdict.ts";
import { wordDistance } from "./words.ts";

/** Fields of a map, down and across: one a word up to this size. */
const MOST_FIELDS = { cols: 32, rows: 64 } as const;
/** A field all of whose words differ. */
const ALL = 9;

/** Counts the differing words of a grid by place, distance and wrong bit. */
export function differencesOf(
  held: Held,
  actual: Uint32Array,
  grid: Grid,
): Differences {
  const { expected, kind } = held;
  const distances: number[] = [];
  const bits = new Array<number>(32).fill(0);
  let unordered = 0;
  for (let i = 0; i < expected.length; i++) {
    const [right, word] = [expected[i]!, actual[i]!];
    if (isRight(held, i, word) || word === poisonFor(right)) continue;
    const wrong = right ^ word;
    for (let bit = 0; bit < 32; bit++) bits[bit]! += (wrong >>> bit) & 1;
    const distance = wordDistance(right, word, kind);
    if (distance === undefined) {
      unordered++;
    } else {
      // A bound may be below half a step: then even the nearest f32 is wrong.
      const power = Math.max(0, Math.floor(Math.log2(distance)));
      while (distances.length <= power) distances.push(0);
      distances[power]!++;
    }
  }
  return { ...grid, map: mapOf(held, actual, grid), distances, unordered, bits };
}

/** See {@linkcode Differences.map}. */
function mapOf(
  held: Held,
  actual: Uint32Array,
  { rows, cols }: Grid,
): string[] {
  const [across, down] = [Math.min(rows, MOST_FIELDS.rows), Math.min(cols, MOST_FIELDS.cols)];
  const words = Array.from({ length: down }, () => new Uint32Array(across));
  const wrong = Array.from({ length: down }, () => new Uint32Array(across));
  for (let col = 0; col < cols; col++) {
    const field = Math.floor(col * down / cols);
    for (let row = 0; row < rows; row++) {
      const at = Math.floor(row * across / rows);
      const i = col * rows + row;
      words[field]![at]!++;
      if (!isRight(held, i, actual[i]!)) wrong[field]![at]!++;
    }
  }
  // Rounded up below all, so that one wrong word among thousands is seen.
  const digit = (count: number, of: number) =>
    count === of ? ALL : Math.min(ALL - 1, Math.ceil(ALL * count / of));
  return wrong.map((line, field) =>
    Array.from(line, (count, at) => digit(count, words[field]![at]!)).join("")
  );
}
