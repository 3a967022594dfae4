/**
 * From an output that differs to its cause, and to whom it is to be blamed on.
 *
 * @module
 */
import type { Case, WordKind } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import type { Rules as AdapterRules } from "../profile/measure.ts";
import type { Output } from "../runner/compare.ts";
import { isRight } from "../runner/held.ts";
import { poisonFor } from "../runner/poison.ts";
import type { TextPlace } from "../runner/verdict.ts";
import { sameWord } from "../runner/words.ts";
import { blameOfKernel, blameOfStored, cornersOf, differingPlaces } from "./corners.ts";
import { type Explanation, explanationsFor, isComplete } from "./explain.ts";
import { MODELLED_FAMILY } from "./model.ts";
import { pictureOf, wrongBits } from "./picture.ts";
import { type Departure, departureOf, type Trace } from "./trace.ts";

/** Who is to blame. */
export type Blame = "kernel" | "adapter" | "golden" | "reference" | "not deterministic" | "nothing";

/** What another adapter gave: the words, or why there are none. */
export interface SecondOutput {
  /** Its name. */
  readonly adapter: string;
  /** Its output's words. */
  readonly words?: Uint32Array;
  /** A sentence. */
  readonly failure?: string;
}

/** All that a diagnosis is made from. */
export interface Scene {
  /** The case. */
  readonly subject: Case;
  /** Its input. */
  readonly input: unknown;
  /** The golden's words, whole. */
  readonly golden: Uint32Array;
  /** What the GPU gave. */
  readonly output: Output;
  /** The same check on another adapter. */
  readonly second?: SecondOutput;
  /** The adapter's profile. */
  readonly rules?: AdapterRules;
  /** The steps of a wrong word, or why there are none. */
  readonly trace?: Trace | string;
}

/** What a scene comes to. */
export interface Diagnosis {
  /** Who is to blame. */
  readonly blame: Blame;
  /** The cause, or the picture where no cause is known. */
  readonly cause: string;
  /** Does the cause explain all that was looked at? */
  readonly isComplete: boolean;
  /** Where the differing words lie. */
  readonly picture: string;
  /** Which of the corners agree with the golden. */
  readonly corners: readonly string[];
  /** The explanations that are complete; where none is, those that come near. */
  readonly ranked: readonly Explanation[];
  /** The first step that left the reference, or why it is not known. */
  readonly departure?: Departure | string;
}

/** The line of the kernel's text where the first wrong step was taken, where that is known. */
export function placeOf({ departure }: Diagnosis): TextPlace | undefined {
  return typeof departure === "object" ? departure.place : undefined;
}

/** How the cause begins where words are missing. */
export const NEVER_WRITTEN = "never written";
/** How it ends where there are too many. */
export const PAST_THE_END = "words past the end of the output are written";

/** Explanations kept in a diagnosis. */
const KEPT = 5;

/** Says why an output differs, and whose fault it is. */
export function diagnose(scene: Scene): Diagnosis {
  const { subject, input, golden, output } = scene;
  if (subject.family.contract === "bounded") return diagnoseBounded(scene);
  const { words: kind } = subject.family;
  const grid = subject.family.grid(input);
  const actual = output.repeats.find((words) => differingPlaces(golden, words, kind).length > 0) ??
    output.repeats[0]!;
  const places = differingPlaces(golden, actual, kind);
  const moving = movingPlaces(output.repeats);
  const unwritten = places.filter((at) => actual[at] === poisonFor(golden[at]!));
  const written = places.filter((at) => actual[at] !== poisonFor(golden[at]!));
  const picture = pictureOf(places, grid);
  const reference = subject.family.expand(subject.family.reference(input), input);
  const corners = cornersOf(scene, actual, reference);
  const head = { picture, corners, isComplete: true, ranked: [] };
  if (moving.length > 0) {
    const cause = movingCause(output.repeats.length, pictureOf(moving, grid));
    return { ...head, blame: "not deterministic", cause };
  }
  if (places.length === 0) {
    return output.overrun > 0
      ? {
        ...head,
        blame: "kernel",
        cause: `${output.overrun} ${PAST_THE_END}`,
      }
      : { ...head, blame: "nothing", cause: "the output does not differ now" };
  }
  const stored = blameOfStored(scene, actual, places, reference);
  if (stored) return { ...head, ...stored };
  const departure = typeof scene.trace === "object"
    ? departureOf(scene.trace, input as Q1Input)
    : scene.trace;
  if (unwritten.length === places.length) {
    return { ...head, blame: "kernel", cause: `${NEVER_WRITTEN}: ${picture}` };
  }
  const isModelled = subject.family.name === MODELLED_FAMILY;
  const ranked = isModelled
    ? explanationsFor({
      input: input as Q1Input,
      expected: golden,
      actual,
      differing: written,
      agreeing: agreeingPlaces(golden, actual, kind),
      ...(typeof scene.trace === "object" && { trace: scene.trace }),
    })
    : [];
  const [best] = ranked;
  const complete = isComplete(best);
  const bits = wrongBits(written, golden, actual, kind);
  const cutOff = endlessHere(scene);
  const unknown = cutOff ??
    `${
      isModelled
        ? "no known cause explains it"
        : `of ${subject.family.name} no wrong arithmetics are known, so nothing was recomputed`
    }; it differs in ${picture}${bits ? `; ${bits}` : ""}`;
  return {
    ...head,
    blame: blameOfKernel(scene, actual, complete ? best : undefined),
    cause: (complete ? best!.cause : shiftedFrom(golden, actual, written) ?? unknown) +
      (unwritten.length > 0 ? `; besides, ${NEVER_WRITTEN}: ${pictureOf(unwritten, grid)}` : ""),
    isComplete: complete,
    ...(departure !== undefined && { departure }),
    ranked: complete ? ranked.filter(isComplete) : ranked.filter(isNear).slice(0, KEPT),
  };
}

/** Where the words beyond their bounds are; of no bounded family wrong arithmetics are known. */
function diagnoseBounded({ subject: { family }, input, golden, output }: Scene): Diagnosis {
  const bounds = family.bounds!(family.reference(input), input);
  const held = { expected: golden, kind: family.words, bounds };
  const wrong =
    output.repeats.map((words) => [...words.keys()].filter((at) => !isRight(held, at, words[at]!)))
      .find((places) => places.length > 0) ?? [];
  const picture = pictureOf(wrong, family.grid(input));
  const head = { isComplete: false, picture, corners: [], ranked: [] };
  const moving = movingPlaces(output.repeats);
  if (moving.length > 0) {
    const cause = movingCause(output.repeats.length, pictureOf(moving, family.grid(input)));
    return { ...head, isComplete: true, blame: "not deterministic", cause };
  }
  if (wrong.length > 0) {
    const cause =
      `of ${family.name}, which is held by bounds, no wrong arithmetics are known, so ` +
      `nothing was recomputed; beyond the bound is ${picture}`;
    return { ...head, blame: "kernel", cause };
  }
  return output.overrun > 0
    ? { ...head, blame: "kernel", cause: `${output.overrun} ${PAST_THE_END}` }
    : { ...head, blame: "nothing", cause: "the output is within its bounds now" };
}

/** What explains less meets its words by chance. */
function isNear({ explained, differing }: Explanation): boolean {
  return 2 * explained >= differing;
}

function agreeingPlaces(golden: Uint32Array, words: Uint32Array, kind: WordKind): number[] {
  const places: number[] = [];
  for (let at = 0; at < golden.length; at++) {
    if (sameWord(golden[at]!, words[at]!, kind)) places.push(at);
  }
  return places;
}

function movingPlaces([first, ...others]: readonly Uint32Array[]): number[] {
  return [...first!.keys()].filter((at) => others.some((words) => words[at] !== first![at]));
}

function movingCause(runs: number, picture: string): string {
  return `the output moves: in ${runs} runs of the same check ${picture} did not stay the same, as ` +
    "in a race";
}

/** Where loops are stopped in silence, one that never ends gives words, and no end elsewhere. */
function endlessHere({ second, rules }: Scene): string | undefined {
  return typeof rules?.loop_rounds === "number" && second?.failure !== undefined
    ? `a loop that never ends: this adapter stops all loops after ${rules.loop_rounds} rounds, and ` +
      `on the second adapter there is no output`
    : undefined;
}

/** Words that are the golden's of another place. */
function shiftedFrom(
  golden: Uint32Array,
  actual: Uint32Array,
  places: readonly number[],
): string | undefined {
  for (const step of [1, -1, 2, -2, 4, -4, 8, -8]) {
    if (places.every((at) => golden[at + step] === actual[at])) {
      return `each differing word is the right one of ${Math.abs(step)} place${
        Math.abs(step) === 1 ? "" : "s"
      } ${step > 0 ? "after" : "before"} it`;
    }
  }
  return places.every((at) => actual[at] === 0) ? "each differing word is zero" : undefined;
}
