/**
 * Model files that cannot be used.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";

/** A model's file that cannot be read: the message says why, and what to do. */
export class ModelError extends Failure {
  override name = "ModelError";

  constructor(path: string, state: string, remedy: string) {
    super(EXIT.usage, `Cannot read model ${path}: ${state} ${remedy}`);
  }
}

export const DOWNLOAD_AGAIN = "Download it again, and compare its SHA-256.";
