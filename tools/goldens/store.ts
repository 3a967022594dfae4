/**
 * The folder of goldens: `golden/<family>/manifest.json`, and a file of bits for each address,
 * `golden/<family>/<group>/<parameters>.bits`.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { wordsOfBytes } from "./bits.ts";
import { damageOf } from "./damage.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

/** The repository's own goldens. */
export const GOLDEN_FOLDER: URL = new URL("../../golden/", import.meta.url);

/** A golden that cannot be used: its address, what it is, and the state and remedy. */
export interface GoldenProblem {
  readonly kind: "missing" | "damaged" | "orphaned";
  readonly address: string;
  readonly message: string;
}

/** Reads goldens, each held against its manifest. */
export class GoldenStore {
  readonly #manifests = new Map<string, Manifest>();

  constructor(readonly folder: URL = GOLDEN_FOLDER) {}

  fileOf({ parsed, address }: Case): URL {
    const parameters = address.slice(address.indexOf(":") + 1);
    return new URL(`${parsed.family}/${parsed.group}/${parameters}.bits`, this.folder);
  }

  /** The family's manifest; empty where there is none yet. */
  manifest(family: string): Manifest {
    let manifest = this.#manifests.get(family);
    if (!manifest) {
      const file = new URL(`${family}/manifest.json`, this.folder);
      const bytes = readOrUndefined(file);
      manifest = bytes ? parseManifest(new TextDecoder().decode(bytes), file.pathname) : new Map();
      this.#manifests.set(family, manifest);
    }
    return manifest;
  }

  /** The golden's words, or why it cannot be used. */
  read(subject: Case): Uint32Array | GoldenProblem {
    const { address, family } = subject;
    const manifest = this.manifest(family.name);
    const entry = manifest.get(address);
    const problem = (kind: GoldenProblem["kind"], state: string) => ({
      kind,
      address,
      message: `Cannot read golden "${address}": ${state}`,
    });
    if (!entry) {
      return problem(
        "missing",
        "the manifest has no such golden. If the case is new, make it: deno task golden --accept " +
          '--reason "…"',
      );
    }
    const bytes = readOrUndefined(this.fileOf(subject));
    if (!bytes) {
      return problem(
        "missing",
        "the manifest lists it, and its file is not there. Restore it: git checkout -- golden",
      );
    }
    const damage = damageOf(bytes, entry, manifest);
    return damage ? problem("damaged", damage) : wordsOfBytes(bytes);
  }

  /** The golden's words. @throws {Failure} where it cannot be used */
  words(subject: Case): Uint32Array {
    const found = this.read(subject);
    if (found instanceof Uint32Array) return found;
    throw new Failure(EXIT.goldens, found.message);
  }

  /** Manifest entries and files of bits that belong to no case of the family. */
  orphans(family: string, cases: readonly Case[]): GoldenProblem[] {
    const known = new Set(cases.map(({ address }) => address));
    const stored = new Set([...this.manifest(family).keys(), ...this.#addressesOfFiles(family)]);
    return [...stored].filter((address) => !known.has(address)).sort().map((address) => ({
      kind: "orphaned",
      address,
      message:
        `Golden "${address}" belongs to no case. If the case was removed on purpose, remove ` +
        'the golden: deno task golden --accept --reason "…"',
    }));
  }

  #addressesOfFiles(family: string): string[] {
    const root = new URL(`${family}/`, this.folder);
    return foldersIn(root).flatMap((group) =>
      [...Deno.readDirSync(new URL(`${group}/`, root))]
        .filter(({ name }) => name.endsWith(".bits"))
        .map(({ name }) => `${family}/${group}:${name.slice(0, -".bits".length)}`)
    );
  }
}

function readOrUndefined(file: URL): Uint8Array | undefined {
  try {
    return Deno.readFileSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function foldersIn(folder: URL): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
