/**
 * Looking into a failing check: its output, once more, and the steps of a wrong word.
 *
 * @module
 */
import { caseAt } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { KERNELS } from "../../kernels/mod.ts";
import type { Rules } from "../profile/measure.ts";
import type { Beside } from "../runner/beside.ts";
import type { Output } from "../runner/compare.ts";
import { poisonFor } from "../runner/poison.ts";
import type { Check, Verdict } from "../runner/verdict.ts";
import { isNaNWord, sameWord } from "../runner/words.ts";
import { diagnose, type Diagnosis, type Scene, type SecondOutput } from "./diagnose.ts";
import { MODELLED_FAMILY } from "./model.ts";
import { notesIn, type Trace, type Traced } from "./trace.ts";
import { type TracedText, traceText } from "./trace_text.ts";

/** What runs a check: an executor of this thread, or of another process. */
export interface Laboratory {
  /** Runs a check so often; of a text that writes words beside the output, with those. */
  capture(check: Check, repeats: number, beside?: Beside): Promise<Output | Verdict | string>;
}

/** What is known of a check that is looked into; what is left out is made here and now. */
export interface LookOptions {
  /** The kernel with the text that ran; default: the shipped one. */
  readonly kernel?: Kernel;
  /** The case's input; default: drawn from its address. */
  readonly input?: unknown;
  /** The golden's words, whole; default: the reference computes them. */
  readonly golden?: Uint32Array;
  /** Another adapter, which runs the same check. */
  readonly second?: { readonly adapter: string; readonly laboratory: Laboratory };
  /** The adapter's rules, see {@linkcode measureRules}: they tell a kernel's fault from its own. */
  readonly rules?: Rules;
  /** Runs of the check: does its output move? Default 3. */
  readonly repeats?: number;
}

/** What was seen, and what it comes to. */
export interface Look {
  /** All that the diagnosis was made from. */
  readonly scene: Scene;
  /** Why it differs. */
  readonly diagnosis: Diagnosis;
}

/**
 * Runs a failing check again, on a second adapter too and with its steps noted, and says why it
 * differs. It takes up to two seconds on the CPU.
 *
 * @returns a sentence where it cannot be run
 */
export async function whyItDiffers(
  laboratory: Laboratory,
  check: Check,
  options: LookOptions = {},
): Promise<Look | string> {
  const subject = caseAt(check.address);
  const { family, parsed } = subject;
  const input = options.input ?? family.input(parsed);
  const golden = options.golden ?? family.expand(family.reference(input), input);
  const kernel = options.kernel ?? KERNELS.find(({ name }) => name === check.kernel);
  if (!kernel) return `there is no kernel ${check.kernel}`;
  const output = await laboratory.capture(check, options.repeats ?? REPEATS);
  if (typeof output === "string") return output;
  if ("kind" in output) return sentenceOf(output);
  const found = { subject, input, golden, output };
  const trace = await traceOf(laboratory, kernel, check, found);
  const { second, rules } = options;
  const there = await second?.laboratory.capture(check, 1);
  const scene: Scene = {
    ...found,
    ...(second && there !== undefined && { second: secondOutput(second.adapter, there) }),
    ...(rules && { rules }),
    ...(trace !== undefined && { trace }),
  };
  return { scene, diagnosis: diagnose(scene) };
}

const REPEATS = 3;

function secondOutput(adapter: string, there: Output | Verdict | string): SecondOutput {
  if (typeof there === "string") return { adapter, failure: there };
  return "kind" in there
    ? { adapter, failure: sentenceOf(there) }
    : { adapter, words: there.repeats[0]! };
}

function sentenceOf(verdict: Verdict): string {
  if (verdict.kind === "error") return verdict.message;
  return verdict.kind === "unsupported" ? verdict.reason : "it has no output";
}

/** What of a scene is there before the trace. */
type Found = Pick<Scene, "subject" | "input" | "golden" | "output">;

/**
 * Runs the kernel's text once more, made to tell its steps, for the first wrong word and for a right
 * one.
 *
 * @returns a reason where that cannot be done; `undefined` where no written word is steadily wrong
 */
async function traceOf(
  laboratory: Laboratory,
  kernel: Kernel,
  check: Check,
  found: Found,
): Promise<Trace | string | undefined> {
  const { subject, golden, output } = found;
  const [actual, ...others] = output.repeats as [Uint32Array, ...Uint32Array[]];
  if (others.some((words) => !sameWords(words, actual))) return undefined;
  const isWrong = (at: number) => !sameWord(golden[at]!, actual[at]!, subject.family.words);
  const wrongAt = golden.findIndex((word, at) => isWrong(at) && actual[at] !== poisonFor(word));
  if (wrongAt < 0) return undefined;
  if (subject.family.name !== MODELLED_FAMILY) {
    return `the steps of ${subject.family.name} cannot be traced, only those of ${MODELLED_FAMILY}`;
  }
  if (!kernel.workers) {
    return `nobody has said which invocations of ${kernel.name} compute a word`;
  }
  const traced = { laboratory, kernel, check, found };
  const wrong = await tracedWord(traced, wrongAt);
  if (typeof wrong === "string") return wrong;
  const rightAt = golden.findIndex((word, at) => !isWrong(at) && isTelling(word));
  const right = rightAt < 0 ? undefined : await tracedWord(traced, rightAt);
  const { sites, store } = wrong.text;
  return {
    sites,
    ...(store && { store }),
    wrong: wrong.traced,
    ...(right && typeof right !== "string" && { right: right.traced }),
  };
}

/** What is run again to be traced. */
interface ToTrace {
  readonly laboratory: Laboratory;
  readonly kernel: Kernel;
  readonly check: Check;
  readonly found: Found;
}

async function tracedWord(
  { laboratory, kernel, check, found: { input, output } }: ToTrace,
  at: number,
): Promise<{ readonly text: TracedText; readonly traced: Traced } | string> {
  const { n, rows } = input as Q1Input;
  const place = { row: at % rows, col: Math.floor(at / rows) };
  const workers = kernel.workers!(place.row, place.col);
  const text = traceText(kernel, workers, n / 128);
  if (typeof text === "string") return `the text cannot be made to tell its steps: ${text}`;
  const captured = await laboratory.capture(check, 1, {
    name: `${kernel.name}, tracing row ${place.row}, column ${place.col} of ${check.address}`,
    text: text.text,
    binding: text.binding,
    words: text.words,
    dispatch: workers.dispatch,
  });
  if (typeof captured === "string") return `the tracing run came to no end: ${captured}`;
  if ("kind" in captured) {
    return `the tracing text does not run: ${sentenceOf(captured)}`;
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
