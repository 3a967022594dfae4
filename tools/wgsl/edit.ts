/**
 * Changing a text at places that the parser has found.
 *
 * @module
 */
import type { Span } from "./syntax.ts";

/** One replacement in a text; an insertion where it begins and ends at one place. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text with the edits made, which must not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  return [...edits].sort((a, b) => b.start - a.start).reduce(
    (before, { start, end, text: put }) => before.slice(0, start) + put + before.slice(end),
    text,
  );
}
