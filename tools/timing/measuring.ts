/**
 * How long and how often texts are timed side by side.
 *
 * @module
 */
import { LEAST_SAMPLES } from "./decide.ts";
import type { Measuring } from "./protocol.ts";

const MOST_ROUNDS = 400;

export function measuringOf({ smoke }: { readonly smoke?: true }, seconds: number): Measuring {
  const common = { together: true, seed: 1 };
  return smoke
    ? { ...common, seconds: 0, least: 2, most: 2, thorough: false }
    : { ...common, seconds, least: LEAST_SAMPLES, most: MOST_ROUNDS, thorough: true };
}
