/**
 * Making a golden.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { REFERENCE } from "../../reference/version.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { digestStrips, StripError } from "../runner/strips.ts";
import { bytesOfWords, sha256 } from "./bits.ts";
import type { GoldenEntry, ModelRows } from "./entry.ts";

/** What the address of a case does not say, and its golden keeps. */
export interface StoredInput {
  readonly bytes: Uint8Array;
  readonly model: ModelRows;
}

/** A golden as the reference makes it now. */
export interface FreshGolden {
  readonly subject: Case;
  /** The golden's file. */
  readonly file: Uint8Array;
  /** The file beside it, where a part of the input is stored. */
  readonly input?: Uint8Array;
  /** The entry without its reason, which a person gives. */
  readonly entry: Omit<GoldenEntry, "reason">;
}

/** SHA-256 of modules, for the entry. */
export interface Modules {
  /** Our reference's sources. */
  readonly module: string;
  /** The engine's module, where it is asked too. */
  readonly engine?: string;
}

/** Makes the reference's words for a case's input a golden. */
export async function makeGolden(
  { family, parsed, address }: Case,
  input: unknown,
  words: Uint32Array,
  modules: Modules,
  model?: ModelRows,
): Promise<Pick<FreshGolden, "file" | "entry">> {
  const { rows, cols } = family.grid(input);
  const strips = family.hasStrips(parsed)
    ? await digestStrips(words, { rows, cols }, family.words).catch((error) => {
      if (!(error instanceof StripError)) throw error;
      throw new Failure(EXIT.goldens, `Cannot make golden "${address}": ${error.message}`);
    })
    : undefined;
  const file = strips?.digests ?? bytesOfWords(words);
  const entry = {
    rows,
    cols,
    words: words.length,
    ...(strips && { strip: strips.stripRows }),
    reference: `${REFERENCE.name} ${REFERENCE.version}`,
    generator: family.generatorVersion,
    ...(model && { model }),
    inputs: sha256(...family.inputBytes(input)),
    bits: sha256(file),
    ...modules,
  };
  return { file, entry };
}
