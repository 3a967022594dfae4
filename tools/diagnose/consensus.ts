/**
 * One cause for many failing checks of a kernel: a case alone may not tell two causes apart.
 *
 * @module
 */
import type { Blame, Diagnosis } from "./diagnose.ts";
import { isComplete } from "./explain.ts";

export interface Consensus {
  readonly cause: string;
  readonly blame: Blame;
  /** Checks that it explains, of those looked into. */
  readonly explains: number;
  readonly of: number;
}

/**
 * The cause that explains the most checks, each alone and wholly. Of causes that explain as many,
 * the one that stands first in the most diagnoses.
 *
 * @param diagnoses at least one
 */
export function consensusOf(diagnoses: readonly Diagnosis[]): Consensus {
  const moving = diagnoses.filter(({ blame }) => blame === "not deterministic");
  // Wrong words of an output that moves are of no one arithmetic.
  if (moving.length > 0) return counted(moving[0]!.cause, moving, diagnoses.length);
  const explained = new Map<string, Diagnosis[]>();
  for (const one of diagnoses) {
    for (const cause of causesOf(one)) {
      explained.set(cause, [...explained.get(cause) ?? [], one]);
    }
  }
  const firsts = (cause: string) => diagnoses.filter((one) => one.cause === cause).length;
  const [best] = [...explained].sort(([a, some], [b, others]) =>
    others.length - some.length || firsts(b) - firsts(a)
  );
  return counted(best![0], best![1], diagnoses.length);
}

function counted(cause: string, explained: readonly Diagnosis[], of: number): Consensus {
  return { cause, blame: explained[0]!.blame, explains: explained.length, of };
}

function causesOf({ cause, ranked }: Diagnosis): string[] {
  return [...new Set([cause, ...ranked.filter(isComplete).map((one) => one.cause)])];
}
