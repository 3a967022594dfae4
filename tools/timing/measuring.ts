/**
 * How long and how often texts are timed side by side.
 *
 * @module
 */
import type { Measuring } from "./protocol.ts";

/**
 * Rounds that a comparison has at least: with fewer than 11 the signed ranks can tell nothing at an
 * error of 0.1 %.
 */
const LEAST_ROUNDS = 11;
const MOST_ROUNDS = 400;

export function measuringOf({ smoke }: { readonly smoke?: true }, seconds: number): Measuring {
  return smoke
    ? { seconds: 0, least: 2, most: 2, seed: 1, thorough: false }
    : { seconds, least: LEAST_ROUNDS, most: MOST_ROUNDS, seed: 1, thorough: true };
}
