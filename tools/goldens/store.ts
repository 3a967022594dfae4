/**
 * The folder of goldens: `golden/<family>/manifest.json`, and a file of bits for each address,
 * `golden/<family>/<group>/<parameters>.bits`; where a part of the input cannot be drawn, it stands
 * beside in `<parameters>.input`.
 *
 * @module
 */
import { AddressError, allCases, type Case, caseAt, FAMILIES } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import type { StripDigests } from "../runner/strips.ts";
import { wordsOfBytes } from "./bits.ts";
import { damageOf, type Expected } from "./damage.ts";
import { fileBytes } from "./entry.ts";
import { exists, namesIn, readOrUndefined } from "./files.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

/** The repository's own goldens. */
export const GOLDEN_FOLDER: URL = new URL("../../golden/", import.meta.url);

/** A golden as it is stored: words, or digests of strips. */
export type Golden = Uint32Array | StripDigests;

/** A golden that cannot be used: its address, what it is, and the state and remedy. */
export interface GoldenProblem {
  readonly kind: "missing" | "damaged" | "orphaned";
  readonly address: string;
  readonly message: string;
}

/** Is what was read a reason why it could not be? */
export function isProblem(
  found: Golden | Uint8Array | GoldenProblem | undefined,
): found is GoldenProblem {
  return found !== undefined && "message" in found;
}

/** Reads goldens, each held against its manifest. */
export class GoldenStore {
  readonly #manifests = new Map<string, Manifest>();

  constructor(readonly folder: URL = GOLDEN_FOLDER) {}

  /** Every case: those that generators draw, and those whose input is stored here. */
  cases(): Case[] {
    const stored = FAMILIES.flatMap(({ name }) =>
      [...this.manifest(name).keys()].map(caseOrUndefined)
        .filter((subject) => subject !== undefined)
        .filter(({ family, parsed }) => family.storesInput(parsed))
    );
    return [...allCases(), ...stored];
  }

  /** The family's manifest; empty where there is none yet. */
  manifest(family: string): Manifest {
    let manifest = this.#manifests.get(family);
    if (!manifest) {
      const file = new URL("manifest.json", this.familyFolder(family));
      const bytes = readOrUndefined(file);
      manifest = bytes ? parseManifest(new TextDecoder().decode(bytes), file.pathname) : new Map();
      this.#manifests.set(family, manifest);
    }
    return manifest;
  }

  /** The golden, or why it cannot be used. */
  read(subject: Case): Golden | GoldenProblem {
    const { address, family } = subject;
    const entry = this.manifest(family.name).get(address);
    if (!entry) return this.#unlisted(subject);
    const expected = { sha256: entry.bits, bytes: fileBytes(entry) };
    const bytes = this.#file(subject, "bits", expected);
    if (!(bytes instanceof Uint8Array)) return bytes;
    return entry.strip === undefined
      ? wordsOfBytes(bytes)
      : { stripRows: entry.strip, digests: bytes };
  }

  /** The stored part of the input, `undefined` where there is none, or why it cannot be used. */
  readInput(subject: Case): Uint8Array | undefined | GoldenProblem {
    const { family, parsed, address } = subject;
    if (!family.storesInput(parsed)) return undefined;
    const model = this.manifest(family.name).get(address)?.model;
    if (!model) return this.#unlisted(subject);
    return this.#file(subject, "input", { sha256: model.stored, bytes: model.bytes });
  }

  /** The golden. @throws {Failure} where it cannot be used */
  golden(subject: Case): Golden {
    return orThrow(this.read(subject));
  }

  /** The stored part of the input. @throws {Failure} where it cannot be used */
  storedInput(subject: Case): Uint8Array | undefined {
    return orThrow(this.readInput(subject));
  }

  /** Manifest entries and files that belong to no case of the family. */
  orphans(family: string): GoldenProblem[] {
    const known = new Set(this.cases().map(({ address }) => address));
    const stored = new Set([...this.manifest(family).keys(), ...this.#addressesOfFiles(family)]);
    return [...stored].filter((address) => !known.has(address)).sort().map((address) => ({
      kind: "orphaned",
      address,
      message:
        `Golden "${address}" belongs to no case. If the case was removed on purpose, remove ` +
        'the golden: deno task golden --accept --reason "…"',
    }));
  }

  /**
   * The folder that holds the family's goldens. Where a process ended between the two renames of an
   * accept, that is the old one under its other name.
   */
  familyFolder(family: string): URL {
    const folder = new URL(`${family}/`, this.folder);
    const previous = new URL(`.${family}.old/`, this.folder);
    return !exists(folder) && exists(previous) ? previous : folder;
  }

  #file(
    { address, family }: Case,
    kind: "bits" | "input",
    expected: Expected,
  ): Uint8Array | GoldenProblem {
    const what = kind === "bits" ? "golden" : "input of golden";
    const problem = (kind: GoldenProblem["kind"], state: string) => ({
      kind,
      address,
      message: `Cannot read ${what} "${address}": ${state}`,
    });
    let bytes: Uint8Array | undefined;
    try {
      bytes = readOrUndefined(new URL(fileName(address, kind), this.familyFolder(family.name)));
    } catch (error) {
      // A folder in its place, or a file that is not ours to read.
      const state =
        `${(error as Error).message}. Move what is there away, and restore the golden: ` +
        "git checkout -- golden";
      return problem("damaged", state);
    }
    if (!bytes) {
      return problem(
        "missing",
        "the manifest lists it, and its file is not there. Restore it: git checkout -- golden",
      );
    }
    const manifest = this.manifest(family.name);
    const damage = damageOf(
      bytes,
      expected,
      (sha256) =>
        [...manifest].find(([, { bits, model }]) =>
          (kind === "bits" ? bits : model?.stored) === sha256
        )?.[0],
    );
    return damage ? problem("damaged", damage) : bytes;
  }

  #unlisted({ address, family }: Case): GoldenProblem {
    const file = new URL(fileName(address, "bits"), this.familyFolder(family.name));
    const state = exists(file)
      ? "its file is there, and the manifest does not list it. Restore the manifest: git checkout " +
        "-- golden; if the golden is new, list it:"
      : "there is none. If the case is new, make it:";
    return {
      kind: "missing",
      address,
      message: `Cannot read golden "${address}": ${state} deno task golden --accept --reason "…"`,
    };
  }

  #addressesOfFiles(family: string): string[] {
    const root = this.familyFolder(family);
    return namesIn(root).filter(({ isDirectory }) => isDirectory).flatMap(({ name: group }) =>
      namesIn(new URL(`${group}/`, root))
        .map(({ name }) => /^(.*)\.(?:bits|input)$/.exec(name)?.[1])
        .filter((parameters) => parameters !== undefined)
        .map((parameters) => `${family}/${group}:${parameters}`)
    );
  }
}

/** A golden's file inside its family's folder. */
export function fileName(address: string, kind: "bits" | "input"): string {
  const [path, parameters] = address.split(":") as [string, string];
  return `${path.split("/")[1]}/${parameters}.${kind}`;
}

/** The case, or `undefined` where the address names none (any more). */
function caseOrUndefined(address: string): Case | undefined {
  try {
    return caseAt(address);
  } catch (error) {
    if (error instanceof AddressError) return undefined;
    throw error;
  }
}

function orThrow<Found extends Golden | Uint8Array | undefined>(
  found: Found | GoldenProblem,
): Found {
  if (isProblem(found)) throw new Failure(EXIT.goldens, found.message);
  return found;
}
