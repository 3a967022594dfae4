/**
 * Reading option values.
 *
 * @module
 */
import { InvalidArgumentError } from "cli";

/** As seconds, the longest that a timer can wait is 24 days; nobody wants more of anything else. */
const MOST = 2_000_000;

/** A positive whole number. */
export function positive(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST) {
    throw new InvalidArgumentError(`It must be a whole number of at least 1 and at most ${MOST}.`);
  }
  return value;
}

/** A number above 0. */
export function aboveZero(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError("It must be a number above 0.");
  }
  return value;
}

/** Positive whole numbers, separated by commas; each once. */
export function positiveList(text: string): number[] {
  return [...new Set(text.split(",").map(positive))];
}

/** Seconds: `5s`, `0.5s` or a bare number. */
export function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)s?$/.exec(text);
  if (!match || Number(match[1]) === 0) {
    throw new InvalidArgumentError("It must be a time in seconds, such as 5s.");
  }
  return Number(match[1]);
}

/** Collects the values of an option that may be repeated. */
export function list(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Nobody has more machines; a mistyped number is told before anything runs. */
const MOST_SHARDS = 1000;

/** A part of a whole: `2/5`. */
export function shard(text: string): { index: number; of: number } {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
  if (!match) {
    throw new InvalidArgumentError(
      "It must be a part of a whole, such as 2/5 for the second of five.",
    );
  }
  const [index, of] = [Number(match[1]), Number(match[2])];
  if (of < 1 || of > MOST_SHARDS) {
    throw new InvalidArgumentError(`There must be at least 1 part and at most ${MOST_SHARDS}.`);
  }
  if (index < 1 || index > of) {
    throw new InvalidArgumentError(`Parts are counted from 1: from 1/${of} to ${of}/${of}.`);
  }
  return { index, of };
}
