/**
 * What a failing check leaves behind: enough to come to the same conclusion where the card is not.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import type { Rules } from "../profile/measure.ts";
import type { Check } from "../runner/verdict.ts";
import type { Diagnosis, Scene } from "./diagnose.ts";
import type { Trace, Traced } from "./trace.ts";

/** Grows when a reader of older files would misread a new one. */
const FORMAT = 2;

/** One failing check. */
export interface Evidence {
  readonly format: typeof FORMAT;
  readonly check: Check;
  readonly adapter: string;
  /** The adapter's key, and its rules where they were measured. */
  readonly key?: string;
  readonly rules?: Rules;
  /** SHA-256 of the input's bytes, and of the golden's words. */
  readonly input: string;
  readonly golden: string;
  /** SHA-256 of the shader text that ran. */
  readonly text: string;
  /** The output of each repetition, base64 of its words. */
  readonly repeats: readonly string[];
  readonly overrun: number;
  readonly second?: {
    readonly adapter: string;
    readonly words?: string;
    readonly failure?: string;
  };
  /** The steps of a wrong word, or why there are none. */
  readonly trace?: StoredTrace | string;
  readonly diagnosis: Diagnosis;
}

/** A trace with the notes of each word as text: see {@linkcode storedTrace}. */
type StoredTrace = Omit<Trace, "wrong" | "right"> & {
  readonly wrong: StoredTraced;
  readonly right?: StoredTraced;
};
type StoredTraced = Omit<Traced, "lanes"> & { readonly lanes: readonly string[] };

export async function evidenceOf(
  head: Pick<Evidence, "check" | "adapter" | "key" | "rules">,
  scene: Scene,
  text: string,
  diagnosis: Diagnosis,
): Promise<Evidence> {
  const { subject, input, golden, output, second, trace } = scene;
  return {
    format: FORMAT,
    ...head,
    input: await sha256(...subject.family.inputBytes(input)),
    golden: await sha256(bytesOf(golden)),
    text: await sha256(new TextEncoder().encode(text)),
    repeats: output.repeats.map((words) => bytesOf(words).toBase64()),
    overrun: output.overrun,
    ...(second && { second: withWords(second, (words) => bytesOf(words).toBase64()) }),
    ...(trace !== undefined && {
      trace: typeof trace === "string" ? trace : storedTrace(trace),
    }),
    diagnosis,
  };
}

/** Reads a file's text. @throws {Failure} where it is no evidence */
export function parseEvidence(text: string, file: string): Evidence {
  let found: Partial<Evidence> | null = null;
  try {
    found = JSON.parse(text);
  } catch { // told below
  }
  if (found?.format === FORMAT && found.check && found.repeats && found.diagnosis) {
    return found as Evidence;
  }
  throw new Failure(
    EXIT.usage,
    `Cannot read ${file} as evidence: it is not what gate --evidence writes` +
      `${found?.format === undefined ? "" : ` (format ${found.format}, this reads ${FORMAT})`}. ` +
      "Make it anew: deno task gate --evidence FOLDER",
  );
}

/** The scene that evidence is about. @throws {Failure} where its input is another one here */
export async function sceneOf(
  evidence: Evidence,
  subject: Case,
  input: unknown,
  golden: Uint32Array,
): Promise<Scene> {
  const { second, rules, trace } = evidence;
  if (await sha256(...subject.family.inputBytes(input)) !== evidence.input) {
    throw new Failure(
      EXIT.goldens,
      `Cannot explain ${subject.address}: its input here is not the one of the evidence. Check out ` +
        "the version of samebits that wrote it.",
    );
  }
  return {
    subject,
    input,
    golden,
    output: { repeats: evidence.repeats.map(wordsOf), overrun: evidence.overrun },
    ...(second && { second: withWords(second, wordsOf) }),
    ...(rules && { rules }),
    ...(trace !== undefined && {
      trace: typeof trace === "string" ? trace : readTrace(trace),
    }),
  };
}

/** A second adapter's output with its words in another form. */
function withWords<From, To>(
  { words, ...rest }: {
    readonly adapter: string;
    readonly words?: From;
    readonly failure?: string;
  },
  change: (words: From) => To,
) {
  return { ...rest, ...(words !== undefined && { words: change(words) }) };
}

/** Of each lane a byte for each note's site, then the notes' bits. */
function storedTrace({ wrong, right, ...rest }: Trace): StoredTrace {
  const stored = ({ lanes, ...place }: Traced): StoredTraced => ({
    ...place,
    lanes: lanes.map((notes) => {
      const bits = bytesOf(Uint32Array.from(notes, (note) => note.bits));
      return Uint8Array.of(...notes.map(({ site }) => site), ...bits).toBase64();
    }),
  });
  return { ...rest, wrong: stored(wrong), ...(right && { right: stored(right) }) };
}

function readTrace({ wrong, right, ...rest }: StoredTrace): Trace {
  const read = ({ lanes, ...place }: StoredTraced): Traced => ({
    ...place,
    lanes: lanes.map((text) => {
      const bytes = Uint8Array.fromBase64(text);
      const count = bytes.length / 5;
      const words = new Uint32Array(bytes.slice(count).buffer);
      return Array.from(words, (bits, i) => ({ site: bytes[i]!, bits }));
    }),
  });
  return { ...rest, wrong: read(wrong), ...(right && { right: read(right) }) };
}

function wordsOf(text: string): Uint32Array {
  return new Uint32Array(Uint8Array.fromBase64(text).buffer);
}

function bytesOf(words: Uint32Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(words.buffer as ArrayBuffer, words.byteOffset, words.byteLength);
}

async function sha256(...parts: readonly Uint8Array[]): Promise<string> {
  const bytes = await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
