/**
 * The engine's own reference: every dot product of a case by its module.
 *
 * @module
 */
import type { Q1Input } from "../../../cases/mod.ts";
import { EXIT, Failure } from "../../exit_codes.ts";
import type { EngineExports } from "./module.ts";

/** The family that the engine's module computes. */
export const ENGINE_FAMILY = "q1_0_matmul";

/** Calls in a row during which the memory grew before that counts as a leak. */
const GROWING_CALLS = 16;

/** A block of the engine's memory, which is never given back. */
interface Block {
  readonly at: number;
  readonly bytes: number;
}

/** Computes with an instance of the engine's module. */
export class EngineReference {
  readonly #engine: EngineExports;
  readonly #file: string;
  #row: Block = { at: 0, bytes: 0 };
  #column: Block = { at: 0, bytes: 0 };
  #growingCalls = 0;

  /** @param file the module's name, for messages */
  constructor(engine: EngineExports, file: string) {
    this.#engine = engine;
    this.#file = file;
  }

  /**
   * The words of the distinct rows, in every column.
   *
   * @throws {Failure} where the module traps or leaks
   */
  words({ n, cols, distinctRows: rows, weights, activations }: Q1Input): Uint32Array {
    const rowBytes = weights.length / rows;
    const columnBytes = activations.length / cols;
    this.#row = this.#atLeast(this.#row, rowBytes);
    this.#column = this.#atLeast(this.#column, columnBytes);
    const words = new Uint32Array(rows * cols);
    for (let col = 0; col < cols; col++) {
      const column = activations.subarray(col * columnBytes, (col + 1) * columnBytes);
      this.#write(this.#column, column);
      for (let row = 0; row < rows; row++) {
        this.#write(this.#row, weights.subarray(row * rowBytes, (row + 1) * rowBytes));
        words[col * rows + row] = this.#dot(n, rowBytes, columnBytes);
      }
    }
    return words;
  }

  #dot(n: number, rowBytes: number, columnBytes: number): number {
    const { memory, browseml_q1_dot_ref: dot } = this.#engine;
    const before = memory.buffer.byteLength;
    let word: number;
    try {
      word = dot(n, this.#row.at, rowBytes, this.#column.at, columnBytes);
    } catch (error) {
      throw this.#failure(
        `browseml_q1_dot_ref (n = ${n}) trapped: ${(error as Error).message}.`,
        "Debug it in the engine's own tests.",
      );
    }
    const after = memory.buffer.byteLength;
    this.#growingCalls = after > before ? this.#growingCalls + 1 : 0;
    if (this.#growingCalls < GROWING_CALLS) return word;
    throw this.#failure(
      `its memory grew in each of the last ${GROWING_CALLS} calls of browseml_q1_dot_ref, to ` +
        `${after.toLocaleString("en-US")} bytes.`,
      "It leaks at every call; a dot product needs no memory of its own.",
    );
  }

  /** The block, or a new one where it is too small: twice the size, since none is ever freed. */
  #atLeast(block: Block, bytes: number): Block {
    if (block.bytes >= bytes) return block;
    const wanted = Math.max(bytes, 2 * block.bytes);
    let at: number;
    try {
      at = this.#engine.browseml_alloc(wanted) >>> 0;
    } catch (error) {
      throw this.#failure(
        `browseml_alloc(${wanted}) trapped: ${(error as Error).message}.`,
        "Debug it in the engine's own tests.",
      );
    }
    const size = this.#engine.memory.buffer.byteLength;
    if (at !== 0 && at + wanted <= size) return { at, bytes: wanted };
    throw this.#failure(
      `browseml_alloc(${wanted}) gave ${at}, and the memory has ${size.toLocaleString("en-US")} ` +
        "bytes.",
      "It has no memory left, or does not allocate.",
    );
  }

  /** The memory may have been moved by any call: its view is made anew. */
  #write({ at }: Block, bytes: Uint8Array): void {
    new Uint8Array(this.#engine.memory.buffer, at, bytes.length).set(bytes);
  }

  #failure(state: string, remedy: string): Failure {
    return new Failure(
      EXIT.differs,
      `Cannot compute with ${this.#file}: ${state} ${remedy}`,
    );
  }
}
