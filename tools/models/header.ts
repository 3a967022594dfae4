/**
 * The header of a GGUF file. Of a file of gigabytes only these first megabytes are read.
 *
 * @module
 */
import { resolve } from "node:path";
import { gguf, type GGUFParseOutput } from "gguf";
import { DOWNLOAD_AGAIN, ModelError } from "./error.ts";

/** A header, and the size of its file in bytes. */
export interface Header extends Pick<GGUFParseOutput, "metadata" | "tensorInfos"> {
  /** Where the tensors' bytes begin. */
  readonly dataAt: number;
  readonly size: number;
}

const VERSION = 3;
/** Magic, version, number of tensors, number of metadata values. */
const FIXED_BYTES = 24;
/** The least that a tensor and a metadata value take in a header. */
const TENSOR_BYTES = 24;
const METADATA_BYTES = 13;

/** @throws {ModelError} where the file is no whole little-endian GGUF of version 3 */
export async function readHeader(path: string): Promise<Header> {
  const { size, start } = readStart(path);
  checkStart(path, size, start);
  let parsed: GGUFParseOutput;
  try {
    parsed = await gguf(resolve(path), { allowLocalFile: true });
  } catch (error) {
    const state = `its header makes no sense (${(error as Error).message}).`;
    throw new ModelError(path, state, DOWNLOAD_AGAIN);
  }
  // The reader takes zeros for what lies behind a file's end.
  if (parsed.tensorInfoByteRange[1] > size) throw truncatedHeader(path, size);
  const { metadata, tensorInfos, tensorDataOffset } = parsed;
  return { metadata, tensorInfos, dataAt: Number(tensorDataOffset), size };
}

function readStart(path: string): { size: number; start: Uint8Array } {
  try {
    using file = Deno.openSync(path);
    const start = new Uint8Array(FIXED_BYTES);
    const { size, isFile } = file.statSync();
    if (!isFile) throw new Error("it is not a file");
    const count = file.readSync(start) ?? 0;
    return { size, start: start.subarray(0, count) };
  } catch (error) {
    throw new ModelError(path, `${(error as Error).message}.`, "Name a file ending in .gguf.");
  }
}

function checkStart(path: string, size: number, start: Uint8Array): void {
  if (size === 0) throw new ModelError(path, "the file is empty.", DOWNLOAD_AGAIN);
  const text = new TextDecoder("latin1").decode(start);
  if (text.startsWith("version https://git-lfs")) {
    throw new ModelError(path, "the file is a Git LFS pointer.", "Run git lfs pull.");
  }
  if (!text.startsWith("GGUF")) {
    throw new ModelError(
      path,
      `it begins with ${JSON.stringify(text.slice(0, 4))}, not with "GGUF".`,
      "Name a GGUF file; other formats are converted with llama.cpp's convert_hf_to_gguf.py.",
    );
  }
  if (size < FIXED_BYTES) throw truncatedHeader(path, size);
  const view = new DataView(start.buffer);
  const version = view.getUint32(4, true);
  if (view.getUint32(4, false) < 65_536) {
    throw new ModelError(path, "it is big-endian.", "Convert it to little-endian.");
  }
  if (version !== VERSION) {
    throw new ModelError(
      path,
      `it is GGUF version ${version}; version ${VERSION} is read here.`,
      version < VERSION ? "Convert the model anew." : "Update samebits.",
    );
  }
  const least = view.getBigUint64(8, true) * BigInt(TENSOR_BYTES) +
    view.getBigUint64(16, true) * BigInt(METADATA_BYTES);
  if (least > size) throw truncatedHeader(path, size);
}

function truncatedHeader(path: string, size: number): ModelError {
  return new ModelError(
    path,
    `it is truncated: its header goes on after its ${size.toLocaleString("en-US")} bytes.`,
    DOWNLOAD_AGAIN,
  );
}
