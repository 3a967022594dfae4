/**
 * Four corners: the golden, the reference computed now, this GPU, and a second adapter. Which of
 * them agree decides whom to blame.
 *
 * @module
 */
import type { WordKind } from "../../cases/family.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { sameWord } from "../runner/words.ts";
import { RIGHT, wordUnder } from "./arithmetic.ts";
import type { Blame, Diagnosis, Scene } from "./diagnose.ts";
import type { Explanation } from "./explain.ts";
import { MODELLED_FAMILY } from "./model.ts";

/** Places of words that are not the golden's. */
export function differingPlaces(
  golden: Uint32Array,
  words: Uint32Array,
  kind: WordKind,
): number[] {
  const places: number[] = [];
  for (let at = 0; at < golden.length; at++) {
    if (!sameWord(golden[at]!, words[at]!, kind)) places.push(at);
  }
  return places;
}

/** Words of the definition, computed apart from the reference, at most this many. */
const LOOKED_AT = 64;

/** Is it the golden or the reference that is wrong? */
export function blameOfStored(
  { subject, input, golden, second }: Scene,
  actual: Uint32Array,
  places: readonly number[],
  reference: Uint32Array,
): Pick<Diagnosis, "blame" | "cause"> | undefined {
  const { family } = subject;
  const holds = (words: Uint32Array, at: number) => sameWord(words[at]!, actual[at]!, family.words);
  const isAsReference = places.every((at) => holds(reference, at));
  if (isAsReference) {
    return {
      blame: "golden",
      cause: "the reference, computed now, gives what the GPU gives: the golden's bits are wrong " +
        "or out of date. See what would change: deno task golden",
    };
  }
  if (
    family.name !== MODELLED_FAMILY ||
    second?.words && !places.every((at) => holds(second.words!, at))
  ) {
    return undefined;
  }
  const q1 = input as Q1Input;
  const isAsDefinition = places.slice(0, LOOKED_AT).every((at) =>
    sameWord(wordUnder(RIGHT, q1, at % q1.rows, Math.floor(at / q1.rows))!, actual[at]!, "f32")
  );
  return isAsDefinition && golden.length > 0
    ? {
      blame: "reference",
      cause:
        "the definition, computed apart from the reference, gives what the GPU gives, and the " +
        "reference and the golden do not",
    }
    : undefined;
}

/** The kernel, or an adapter that computes the same text otherwise than another one. */
export function blameOfKernel(
  { subject, golden, second, rules }: Scene,
  actual: Uint32Array,
  best: Explanation | undefined,
): Blame {
  if (second?.words) {
    const { words: kind } = subject.family;
    const isRightThere = differingPlaces(golden, second.words, kind).length === 0;
    return isRightThere && differingPlaces(golden, actual, kind).length > 0 ? "adapter" : "kernel";
  }
  const [rule, answer] = best?.adapterRule ?? [];
  return rule !== undefined && rules?.[rule] === answer ? "adapter" : "kernel";
}

export function cornersOf(
  { subject, golden, second }: Scene,
  actual: Uint32Array,
  reference: Uint32Array,
): string[] {
  const { words: kind } = subject.family;
  const say = (who: string, words: Uint32Array, like = "") => {
    const count = differingPlaces(golden, words, kind).length;
    return `${who}: ${
      count === 0 ? "agrees with the golden" : `differs from it in ${count} words${like}`
    }`;
  };
  const isLikeThis = second?.words && differingPlaces(actual, second.words, kind).length === 0;
  return [
    say("the reference, computed now", reference),
    say("this GPU", actual),
    second?.words
      ? say(
        `the second adapter (${second.adapter})`,
        second.words,
        isLikeThis ? ", with the same bits as this GPU" : ", with other bits than this GPU",
      )
      : second
      ? `the second adapter (${second.adapter}): no output: ${second.failure}`
      : "no second adapter",
  ];
}
