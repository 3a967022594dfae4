/**
 * A record's file, which is whole at every moment: whoever kills a run leaves what it had found.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { EXIT, Failure } from "../exit_codes.ts";
import type { SavedRecord } from "../report/record.ts";
import { recordText } from "../report/record_text.ts";

/** A record of 5,000 checks takes some 50 ms to write, compressed: so often it costs a run 2.5 %. */
const MILLISECONDS_BETWEEN = 2000;

export class RecordFile {
  readonly #path: string;
  #written = -Infinity;

  /** @param path compressed where it ends in `.gz` */
  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the file's place in one step. @throws {Failure} where it cannot be written */
  write(record: SavedRecord): void {
    const text = recordText(record);
    const part = `${this.#path}.part`;
    try {
      if (this.#path.endsWith(".gz")) Deno.writeFileSync(part, gzipSync(text));
      else Deno.writeTextFileSync(part, text);
      Deno.renameSync(part, this.#path);
    } catch (error) {
      throw new Failure(
        EXIT.usage,
        `Cannot write record ${this.#path}: ${(error as Error).message}. Name a file in a folder ` +
          "that is there, on a disk with room.",
      );
    }
    this.#written = performance.now();
  }

  /** Writes a record of a run that goes on, but not all the time. */
  refresh(make: () => SavedRecord): void {
    if (performance.now() - this.#written < MILLISECONDS_BETWEEN) return;
    try {
      this.write(make());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The run goes on: its end writes again, and says so where it cannot.
      this.#written = performance.now();
    }
  }
}
