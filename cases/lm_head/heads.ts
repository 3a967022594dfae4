/**
 * Named ways to fill an LM head and what enters it.
 *
 * @module
 */
import type { Fills, Projection } from "../q1_projection/draw.ts";

/** How a head is drawn. */
export interface Head {
  readonly fills: Fills;
  /** Rows until they repeat. Default: none does. */
  readonly distinctRows?: number;
  /** Rows that get the signs of the first column's activations: no row of such scales has a larger sum. */
  readonly crowned?: (rows: number) => readonly number[];
}

const ORDINARY: Fills = { signs: "random", scales: "layer", x: "hidden" };
/** No sum is rounded, so that equal rows have equal logits whatever a kernel does. */
const EXACT: Fills = { signs: "random", scales: "ones", x: "integers" };

export const HEADS: Readonly<Record<string, Head>> = {
  ordinary: { fills: ORDINARY },
  first: { fills: EXACT, crowned: () => [0] },
  last: { fills: EXACT, crowned: (rows) => [rows - 1] },
  /** Three rows have the largest logit. */
  ties: {
    fills: EXACT,
    crowned: (rows) => [Math.floor(rows / 3), Math.floor(2 * rows / 3), rows - 1],
  },
  /** Every row again and again. */
  repeated: { fills: EXACT, distinctRows: 7 },
  /** All logits are negative, and the largest is the smallest in size. */
  negative: { fills: { signs: "plus", scales: "negative", x: "one_hot" } },
  zeros: { fills: { signs: "random", scales: "powers", x: "zeros" } },
  /** Some logits are NaN. */
  nan: { fills: { signs: "random", scales: "nan", x: "hidden" } },
};

/** Gives these rows the signs of the first column's activations. */
export function crown({ n, signs, x }: Projection, rows: readonly number[]): void {
  const blocks = n / 32;
  for (const row of rows) {
    for (let b = 0; b < blocks; b++) {
      let word = 0;
      for (let j = 0; j < 32; j++) word |= x[32 * b + j]! > 0 ? 1 << j : 0;
      signs[row * blocks + b] = word;
    }
  }
}
