/**
 * One digest for all goldens that a run is held against.
 *
 * @module
 */
import { FAMILIES } from "../../cases/mod.ts";
import { sha256Hex } from "../timing/sha256.ts";
import { formatManifest } from "./manifest.ts";
import type { GoldenStore } from "./store.ts";

/**
 * SHA-256 of the manifests. They hold every golden's own digest, so that two folders with the same
 * manifests and no damage hold the same goldens.
 */
export function goldensDigest(store: GoldenStore): Promise<string> {
  return sha256Hex(FAMILIES.map(({ name }) => formatManifest(store.manifest(name))).join(""));
}
