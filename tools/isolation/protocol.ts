/**
 * What the command and the process that touches the GPU tell each other: one JSON value a line.
 *
 * @module
 */
import type { Rules } from "../profile/measure.ts";
import type { AdapterDescription } from "../runner/adapter.ts";
import type { Beside } from "../runner/beside.ts";
import type { Outcome } from "../runner/executor.ts";
import type { Check, Verdict } from "../runner/verdict.ts";

/** A text that takes the place of a kernel's own. */
export interface TextOverride {
  readonly kernel: string;
  readonly file: string;
  readonly text: string;
}

/** A kernel like another one, under its own name and with a text of its own. */
export interface Variant {
  readonly name: string;
  /** The kernel whose recipe runs it. */
  readonly of: string;
  readonly text: string;
}

/** Which adapter the child is to take. */
export interface AdapterAssignment {
  /** Folder of an unpacked embedded adapter, which the child loads before it looks for adapters. */
  readonly embedded?: string;
  readonly powerPreference?: GPUPowerPreference;
}

/** The first line to the child: how it is to work. */
export interface Assignment extends AdapterAssignment {
  readonly goldenFolder: string;
  readonly repeats: number;
  readonly texts: readonly TextOverride[];
}

/** Every further line to the child. */
export type Request =
  /** Run a batch, each check held against the rules of the adapter where they are known. */
  | {
    readonly kind: "checks";
    readonly checks: readonly Check[];
    readonly rules?: Rules;
    /** Texts that checks may name as kernels from now on. */
    readonly variants?: readonly Variant[];
  }
  /** Run one check so often, and give its output; of a text with words beside it, those too. */
  | {
    readonly kind: "capture";
    readonly check: Check;
    readonly repeats: number;
    readonly beside?: Beside;
  }
  /** Measure the adapter's rules. */
  | { readonly kind: "rules" };

/** Lines from the child. */
export type Reply =
  | { readonly kind: "adapter"; readonly adapter: AdapterDescription | null }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "rules"; readonly rules: Rules }
  /** An output's repetitions, each as base64 of its words; or why there is none. */
  | { readonly kind: "captured"; readonly repeats: readonly string[]; readonly overrun: number }
  | { readonly kind: "refused"; readonly verdict: Verdict }
  /** What a {@linkcode Failure} says. */
  | { readonly kind: "failure"; readonly exitCode: number; readonly message: string };

/** Marks the lines that are ours: a driver may print to the same stream. */
const MARK = "samebits:";

export function encodeLine(value: unknown): string {
  return `${MARK}${JSON.stringify(value)}\n`;
}

/** The value of a line, or `undefined` where somebody else printed it. */
export function decodeLine<T>(line: string): T | undefined {
  return line.startsWith(MARK) ? JSON.parse(line.slice(MARK.length)) as T : undefined;
}

/** The lines of a stream of bytes. */
export function linesOf(stream: ReadableStream<Uint8Array>): AsyncIterator<string> {
  return lines(stream)[Symbol.asyncIterator]();
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest) yield rest;
}
