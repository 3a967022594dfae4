/**
 * A mutant: a shipped text with one place changed, and the name that the change keeps while the rest
 * of the text moves.
 *
 * @module
 */
import { type Edit, edited } from "../wgsl/edit.ts";
import type { Span } from "../wgsl/syntax.ts";

/** A change that a mutator proposes at one place. */
export interface Change {
  /** What kind of change it is, such as `operator`. */
  readonly kind: string;
  readonly edits: readonly Edit[];
  /** The piece of text that is shown as changed and holds all edits, or words that say it. */
  readonly shown: Span | string;
}

/** See the module. */
export interface Mutant {
  /** `kernel/place: before -> after`, and `#2` for the second such change there. */
  readonly id: string;
  readonly kernel: string;
  /** The function, or the declaration, that is changed. */
  readonly place: string;
  readonly kind: string;
  readonly text: string;
}

/** Names the mutants of a text; equal ones are kept once. */
export function named(
  kernel: string,
  text: string,
  changes: readonly { readonly place: string; readonly change: Change }[],
): Mutant[] {
  const seen = new Set<string>([text]);
  const count = new Map<string, number>();
  return changes.flatMap(({ place, change }) => {
    const mutated = edited(text, change.edits);
    if (seen.has(mutated)) return [];
    seen.add(mutated);
    const name = `${kernel}/${place}: ${shownAs(change, text, mutated)}`;
    const nth = (count.get(name) ?? 0) + 1;
    count.set(name, nth);
    const id = nth === 1 ? name : `${name} #${nth}`;
    return [{ id, kernel, place, kind: change.kind, text: mutated }];
  });
}

function shownAs({ shown }: Change, text: string, mutated: string): string {
  if (typeof shown === "string") return shown;
  const before = oneLine(text.slice(shown.start, shown.end));
  const grown = mutated.length - text.length;
  const after = oneLine(mutated.slice(shown.start, shown.end + grown)) || "nothing";
  return `${before} -> ${after}`;
}

/** Without comments and line breaks. */
function oneLine(text: string): string {
  return text.replace(/\/\/.*$/gm, "").replace(/\s+/g, " ").trim();
}
