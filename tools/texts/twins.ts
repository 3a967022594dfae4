/**
 * kernels/twins.json: where each kernel's twins live in the engine, and the last agreement.
 *
 * @module
 */
import { join } from "node:path";
import { EXIT, Failure } from "../exit_codes.ts";

/** A constant of the engine; without a name, a whole file. */
export interface Place {
  /** From the top of the engine's checkout. */
  readonly file: string;
  readonly name?: string;
}

/** What the engine and this suite last agreed on; written by the tool. */
export interface Agreement {
  /** The engine's commit; null while no engine has agreed yet. */
  readonly commit: string | null;
  /** Of the text's UTF-8 bytes. */
  readonly sha256: string;
  /** Why the text was recorded without an engine. */
  readonly reason?: string;
}

export interface Twin {
  /** Edited by hand; empty where the engine has no such kernel. */
  readonly places: readonly Place[];
  readonly agreement: Agreement;
}

/** A shader of the engine that is no kernel here; edited by hand. */
export interface Other extends Place {
  readonly reason: string;
}

export interface Twins {
  readonly kernels: Readonly<Record<string, Twin>>;
  readonly others: readonly Other[];
}

const FILE = "kernels/twins.json";

export function placeName({ file, name }: Place): string {
  return name === undefined ? file : `${file} ${name}`;
}

/** Reads the twins of the repository at `root`. */
export function readTwins(root: string): Twins {
  const path = join(root, FILE);
  let json: string;
  try {
    json = Deno.readTextFileSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw unusable("it is not there");
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw unusable(`it is not JSON: ${(error as Error).message}`);
  }
  return checkTwins(value);
}

export function writeTwins(root: string, twins: Twins): void {
  Deno.writeTextFileSync(join(root, FILE), `${JSON.stringify(twins, null, 2)}\n`);
}

/** A mistake in a file that is edited by hand is named by its path in it. */
function checkTwins(value: unknown): Twins {
  const { kernels, others } = object(value, "the top");
  for (const [name, twin] of Object.entries(object(kernels, "kernels"))) {
    const { places, agreement } = object(twin, `kernels.${name}`);
    const where = `kernels.${name}.places`;
    array(places, where).forEach((place, i) => checkPlace(place, `${where}[${i}]`));
    checkAgreement(agreement, `kernels.${name}.agreement`);
  }
  array(others, "others").forEach((other, i) => {
    checkPlace(other, `others[${i}]`);
    text(object(other, `others[${i}]`).reason, `others[${i}].reason`);
  });
  return value as Twins;
}

function checkPlace(value: unknown, where: string): void {
  const { file, name } = object(value, where);
  text(file, `${where}.file`);
  if (name !== undefined) text(name, `${where}.name`);
}

function checkAgreement(value: unknown, where: string): void {
  const { commit, sha256 } = object(value, where);
  if (commit !== null) text(commit, `${where}.commit`);
  if (!/^[0-9a-f]{64}$/.test(text(sha256, `${where}.sha256`))) {
    throw unusable(`${where}.sha256 is not 64 hexadecimal digits`);
  }
}

function object(value: unknown, where: string): Record<string, unknown> {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw unusable(`${where} is not an object`);
}

function array(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw unusable(`${where} is not a list`);
}

function text(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw unusable(`${where} is not a text`);
}

function unusable(state: string): Failure {
  return new Failure(
    EXIT.usage,
    `Cannot read ${FILE}: ${state}. Mend it by hand, or take it back with: ` +
      `git checkout ${FILE}`,
  );
}
