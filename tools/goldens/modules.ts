/**
 * What goldens are made of: the cases with what is stored for them, and the references' modules.
 *
 * @module
 */
import type { Case } from "../../cases/mod.ts";
import { EXIT, Failure } from "../exit_codes.ts";
import { sha256 } from "./bits.ts";
import { namesIn } from "./files.ts";
import type { Modules } from "./fresh.ts";
import type { EngineModule, Setup, Wanted } from "./pool.ts";
import type { GoldenStore } from "./store.ts";

const REFERENCE_FOLDER = new URL("../../reference/", import.meta.url);

/** How goldens are to be made: with the engine's module beside our reference, or without. */
export function setupOf(engine?: EngineModule): Setup {
  const modules: Modules = {
    module: referenceDigest(),
    ...(engine && { engine: sha256(engine.bytes) }),
  };
  return { modules, ...(engine && { engine }) };
}

/** SHA-256 of our reference's sources, each after its name. */
function referenceDigest(): string {
  const names = namesIn(REFERENCE_FOLDER).map(({ name }) => name).sort();
  const encoder = new TextEncoder();
  return sha256(...names.flatMap((name) => [
    encoder.encode(`${name}\n`),
    Deno.readFileSync(new URL(name, REFERENCE_FOLDER)),
  ]));
}

/** The case with what the store holds of its input. @throws {Failure} where that is damaged */
export function wantedOf(store: GoldenStore, subject: Case): Wanted {
  const bytes = store.storedInput(subject);
  if (!bytes) return { subject };
  const model = store.manifest(subject.family.name).get(subject.address)!.model!;
  return { subject, stored: { bytes, model } };
}

/**
 * Reads the engine's module.
 *
 * @param path a file of WebAssembly
 * @throws {Failure} where it cannot be read
 */
export function readEngine(path: string): EngineModule {
  try {
    return { bytes: Deno.readFileSync(path), file: path };
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      `Cannot read the engine's module ${path}: ${(error as Error).message}. Name the file ` +
        "browseml.wasm that the engine's build made.",
    );
  }
}
