/**
 * Looking into a failing check: its output, once more, and the steps of a wrong word.
 *
 * @module
 */
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import type { Beside } from "../runner/beside.ts";
import type { Output } from "../runner/compare.ts";
import { poisonFor } from "../runner/poison.ts";
import type { Check, Verdict } from "../runner/verdict.ts";
import { isNaNWord, sameWord } from "../runner/words.ts";
import type { Scene } from "./diagnose.ts";
import { notesIn, type Trace, type Traced } from "./trace.ts";
import { type TracedText, traceText } from "./trace_text.ts";

/** What runs a check: an executor of this thread, or of another process. */
export interface Laboratory {
  capture(check: Check, repeats: number, beside?: Beside): Promise<Output | Verdict | string>;
}

/** What of a scene is there before the trace. */
type Found = Pick<Scene, "subject" | "input" | "golden" | "output">;

/**
 * Runs the kernel's text once more, made to tell its steps, for the first wrong word and for a right
 * one.
 *
 * @returns a reason where that cannot be done; `undefined` where no written word is steadily wrong
 */
export async function traceOf(
  laboratory: Laboratory,
  kernel: Kernel,
  check: Check,
  found: Found,
): Promise<Trace | string | undefined> {
  const { subject, golden, output } = found;
  const [actual, ...others] = output.repeats as [Uint32Array, ...Uint32Array[]];
  if (others.some((words) => !sameWords(words, actual))) return undefined;
  const isWrong = (at: number) => !sameWord(golden[at]!, actual[at]!);
  const wrongAt = golden.findIndex((word, at) => isWrong(at) && actual[at] !== poisonFor(word));
  if (wrongAt < 0) return undefined;
  if (subject.family.name !== "q1_0_matmul" || !kernel.workers) {
    return `nobody has said which invocations of ${kernel.name} compute a word`;
  }
  const session = { laboratory, kernel, check, found };
  const wrong = await tracedWord(session, wrongAt);
  if (typeof wrong === "string") return wrong;
  const rightAt = golden.findIndex((word, at) => !isWrong(at) && isTelling(word));
  const right = rightAt < 0 ? undefined : await tracedWord(session, rightAt);
  const { sites, store } = wrong.text;
  return {
    sites,
    ...(store && { store }),
    wrong: wrong.traced,
    ...(right && typeof right !== "string" && { right: right.traced }),
  };
}

interface Session {
  readonly laboratory: Laboratory;
  readonly kernel: Kernel;
  readonly check: Check;
  readonly found: Found;
}

async function tracedWord(
  { laboratory, kernel, check, found: { input, output } }: Session,
  at: number,
): Promise<{ readonly text: TracedText; readonly traced: Traced } | string> {
  const { n, rows } = input as Q1Input;
  const place = { row: at % rows, col: Math.floor(at / rows) };
  const workers = kernel.workers!(place.row, place.col);
  const text = traceText(kernel, workers, n / 128);
  if (typeof text === "string") return `the text cannot be made to tell its steps: ${text}`;
  const captured = await laboratory.capture(check, 1, { ...text, dispatch: workers.dispatch });
  if (typeof captured === "string") return `the tracing run came to no end: ${captured}`;
  if ("kind" in captured) {
    const why = captured.kind === "error"
      ? captured.message.replaceAll(text.text, "")
      : captured.kind;
    return `the tracing text does not run: ${why}`;
  }
  const [words] = captured.repeats as [Uint32Array];
  const [actual] = output.repeats as [Uint32Array];
  if (!sameWords(words.subarray(0, actual.length), actual)) {
    return "tracing changed the outcome: with its steps noted the text gives other words";
  }
  const lanes = notesIn(words.subarray(actual.length), n / 128);
  return { text, traced: { ...place, lanes } };
}

/** Zeros and NaN come out right by many ways. */
function isTelling(word: number): boolean {
  return (word & 0x7fffffff) !== 0 && !isNaNWord(word);
}

function sameWords(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}
