/**
 * Reading records, which may be damaged, of another version, or something else.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import type { ValidateFunction } from "ajv";
import schema from "../../record.schema.json" with { type: "json" };
import { RECORD_FORMAT, type SavedRecord } from "../report/record.ts";

const KINDS: readonly SavedRecord["kind"][] = ["run", "unstarted", "merged"];

/** A record, and where it came from. */
export interface Source<Saved extends SavedRecord = SavedRecord> {
  readonly file: string;
  readonly record: Saved;
}

/** A file that cannot be used, and why: what it is, without a full stop. */
export interface Unusable {
  readonly file: string;
  readonly state: string;
}

/** The value in a record's file, compressed or not. @throws {Error} where it holds no JSON */
export function decoded(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Error("it is empty");
  // A compressed file is known by its first bytes: a name may have been changed on the way.
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let text: string;
  try {
    text = new TextDecoder().decode(isCompressed ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw new Error(`it cannot be unpacked (${(error as Error).message})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON (${(error as Error).message})`);
  }
}

/** The record, or why the value is none: what it is, without a full stop. */
export async function recordOf(value: unknown): Promise<SavedRecord | string> {
  if (typeof value !== "object" || value === null || !("format" in value)) {
    return "it is no record: it has no format";
  }
  if (value.format !== RECORD_FORMAT) {
    const { samebits } = value as { samebits?: string };
    return `its format is ${value.format}, written by samebits ${
      samebits ?? "of no version"
    }, and ` +
      `this one reads ${RECORD_FORMAT}`;
  }
  const problem = await schemaProblem(value);
  return problem === undefined ? value as SavedRecord : `it is damaged: ${problem}`;
}

/** Where a value breaks `record.schema.json`, or `undefined`. */
export async function schemaProblem(value: unknown): Promise<string | undefined> {
  // The kind decides which of the forms is meant: the others would only add their complaints.
  const kind = (value as { kind?: unknown }).kind;
  const validate = (await validators()).get(kind);
  if (!validate) return `its kind is ${JSON.stringify(kind)}`;
  if (validate(value)) return undefined;
  // Of a choice every form complains; the complaint that came furthest is of the form that is meant.
  const [deepest] = [...validate.errors ?? []]
    .sort((a, b) => b.instancePath.length - a.instancePath.length);
  return `${deepest?.instancePath || "the whole"} ${deepest?.message}`;
}

let compiled: Promise<ReadonlyMap<unknown, ValidateFunction>> | undefined;

/** Of each kind of record. Few commands read records: no other waits for the library. */
function validators(): Promise<ReadonlyMap<unknown, ValidateFunction>> {
  return compiled ??= import("ajv").then(({ Ajv2020 }) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    ajv.addSchema(schema, "record");
    return new Map(KINDS.map((kind) => [kind, ajv.getSchema(`record#/$defs/${kind}`)!]));
  });
}
