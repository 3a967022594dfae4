/**
 * The token that greedy decoding takes: a projection onto the vocabulary, and the first of its largest
 * logits.
 *
 * Source: q1_projection.ts and the rule of argmax.ts, joined. The place is an integer, and right only
 * where no kernel within the projection's bounds could find another one.
 */

import { q1Projection, type Q1ProjectionInput } from "./q1_projection.ts";
import type { BoundedValues } from "./roundings.ts";

/**
 * The place of the first of the largest logits. A NaN is never the largest; where all are NaN the place
 * is 0.
 *
 * @throws {RangeError} where it is not sure: see {@linkcode surePlace}
 */
export function lmHead(input: Q1ProjectionInput): number {
  return surePlace(q1Projection(input));
}

/**
 * The place of the first of the largest of logits with bounds. Logits that are equal and have the bound
 * 0 are equal in every kernel, so that the first of them is sure.
 *
 * @throws {RangeError} where another one could be found in its place, within the bounds of both
 */
export function surePlace({ values, bounds }: BoundedValues): number {
  let place = 0;
  values.forEach((value, i) => {
    if (value === value && !(values[place] >= value)) place = i;
  });
  const least = values[place] - bounds[place];
  values.forEach((value, i) => {
    const isTie = value === values[place] && bounds[i] + bounds[place] === 0;
    const couldBe = value + bounds[i] >= least; // false for NaN
    if (i !== place && couldBe && !isTie) throw tooNear(place, i);
  });
  return place;
}

function tooNear(place: number, other: number): RangeError {
  return new RangeError(
    `Cannot say which logit is the largest: those at ${place} and ${other} are nearer to each other ` +
      "than their bounds. Choose an input (another seed) where they are apart, or sums that are exact.",
  );
}
