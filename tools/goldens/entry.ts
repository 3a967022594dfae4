/**
 * What a manifest says of one golden.
 *
 * @module
 */
import { DIGEST_BYTES } from "../runner/strips.ts";

export interface GoldenEntry {
  /** Why it last changed. */
  readonly reason: string;
  readonly rows: number;
  readonly cols: number;
  /** Words of the golden: fewer than rows · cols where the case's rows repeat. */
  readonly words: number;
  /**
   * Rows of a strip, where the file holds a SHA-256 for each strip of so many rows, one after the
   * other, instead of the words: of the strip's words (u32, little-endian), column by column.
   */
  readonly strip?: number;
  /** Name and version of the reference that computed the bits. */
  readonly reference: string;
  /** Version of the family's generator that drew the input. */
  readonly generator: number;
  /** Where weights that no generator draws came from. */
  readonly model?: ModelRows;
  /** SHA-256 of the input's bytes. */
  readonly inputs: string;
  /** SHA-256 of the file. */
  readonly bits: string;
  /** SHA-256 of the reference's module, as it was when the golden last changed. */
  readonly module: string;
  /** SHA-256 of the engine's module that gave the same bits, where one was asked. */
  readonly engine?: string;
}

/** Rows of a tensor of a model's file; their bytes stand beside the golden, in `.input`. */
export interface ModelRows {
  /** The file's name. */
  readonly file: string;
  /** `general.name`, `general.architecture` and `general.license`, where the file has them. */
  readonly name?: string;
  readonly architecture?: string;
  readonly license?: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly tensor: string;
  readonly type: string;
  /** Rows of the whole tensor. */
  readonly tensorRows: number;
  /** Bytes of these rows, and their SHA-256. */
  readonly bytes: number;
  readonly stored: string;
}

/** Every field with its type and in its order: what a person reads first, digests last. */
const FIELDS: readonly [name: keyof GoldenEntry, type: string, optional?: true][] = [
  ["reason", "string"],
  ["rows", "number"],
  ["cols", "number"],
  ["words", "number"],
  ["strip", "number", true],
  ["reference", "string"],
  ["generator", "number"],
  ["model", "object", true],
  ["inputs", "string"],
  ["bits", "string"],
  ["module", "string"],
  ["engine", "string", true],
];

/** The entry with its fields in their order. */
export function orderedEntry(entry: GoldenEntry): GoldenEntry {
  const fields = FIELDS.filter(([name]) => entry[name] !== undefined);
  return Object.fromEntries(fields.map(([name]) => [name, entry[name]])) as unknown as GoldenEntry;
}

/** The first field that is not as it must be, or `undefined`. */
export function badEntry(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "reason";
  const fields = value as Record<string, unknown>;
  return FIELDS.find(([name, type, optional]) =>
    !(optional && fields[name] === undefined) &&
    (typeof fields[name] !== type || fields[name] === null)
  )?.[0];
}

/** Bytes of the golden's file. */
export function fileBytes({ rows, words, strip }: GoldenEntry): number {
  return strip === undefined ? words * 4 : Math.ceil(rows / strip) * DIGEST_BYTES;
}
