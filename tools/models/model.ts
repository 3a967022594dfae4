/**
 * A model's file: its tensors of few bits, and their rows.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { GGMLQuantizationType } from "gguf";
import type { RowRange } from "../../cases/mod.ts";
import { type BlockLayout, rowBytes } from "../../reference/blocks.ts";
import { DOWNLOAD_AGAIN, ModelError } from "./error.ts";
import { readHeader } from "./header.ts";
import { layoutsOf } from "./layouts.ts";

export interface Tensor {
  readonly name: string;
  /** ggml's name of its type. */
  readonly type: string;
  readonly rows: number;
  /** Weights in a row. */
  readonly n: number;
  /** How it is packed; absent for types that are not read here. */
  readonly layout?: BlockLayout;
  /** Its first byte in the file. */
  readonly at: number;
}

export interface Model {
  readonly path: string;
  /** The file's name. */
  readonly file: string;
  readonly bytes: number;
  /** From the file's metadata, where it has them. */
  readonly about: {
    readonly name?: string;
    readonly architecture?: string;
    readonly license?: string;
  };
  readonly tensors: readonly Tensor[];
}

/**
 * Reads what a file holds, and nothing of the weights.
 *
 * @throws {ModelError} where the file cannot be understood, or ends before its weights do
 */
export async function openModel(path: string): Promise<Model> {
  const header = await readHeader(path);
  const layoutOf = layoutsOf(path, header);
  const tensors = header.tensorInfos.map(({ name, shape, dtype, offset }): Tensor => {
    const [n, ...others] = shape.map(Number) as [number, ...number[]];
    const layout = layoutOf(dtype);
    return {
      name,
      type: GGMLQuantizationType[dtype] ?? `type ${dtype}`,
      n,
      rows: others.reduce((product, size) => product * size, 1),
      ...(layout && { layout }),
      at: header.dataAt + Number(offset),
    };
  });
  for (const tensor of tensors) checkEnd(path, tensor, header.size);
  const about = Object.fromEntries(
    ["name", "architecture", "license"]
      .map((key) => [key, (header.metadata as Record<string, unknown>)[`general.${key}`]])
      .filter(([, value]) => typeof value === "string"),
  );
  return { path, file: basename(path), bytes: header.size, about, tensors };
}

/** Bytes of the tensor's row. @throws {ModelError} where a row is not whole blocks */
export function tensorRowBytes(path: string, { name, layout, n }: Tensor): number {
  try {
    return rowBytes(layout!, n);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ModelError(
      path,
      `tensor "${name}" has rows of ${n} weights, and a block of ${layout!.name} holds ` +
        `${layout!.elements}.`,
      DOWNLOAD_AGAIN,
    );
  }
}

function checkEnd(path: string, tensor: Tensor, size: number): void {
  const bytes = tensor.layout ? tensor.rows * tensorRowBytes(path, tensor) : 0;
  if (tensor.at + bytes <= size) return;
  throw new ModelError(
    path,
    `it is truncated: tensor "${tensor.name}" ends at byte ` +
      `${(tensor.at + bytes).toLocaleString("en-US")}, and the file has ` +
      `${size.toLocaleString("en-US")}.`,
    DOWNLOAD_AGAIN,
  );
}

/** The bytes of rows `first` to `first + count − 1`; only they are read. */
export function readRows(
  path: string,
  tensor: Tensor,
  { first, count }: RowRange,
): Uint8Array<ArrayBuffer> {
  const row = tensorRowBytes(path, tensor);
  using file = Deno.openSync(path);
  file.seekSync(tensor.at + first * row, Deno.SeekMode.Start);
  const bytes = new Uint8Array(count * row);
  for (let at = 0; at < bytes.length;) {
    const read = file.readSync(bytes.subarray(at));
    if (read === null) throw new ModelError(path, "it ended while it was read.", DOWNLOAD_AGAIN);
    at += read;
  }
  return bytes;
}

const CHUNK = 1 << 20;

/** SHA-256 of the whole file, read piece by piece. */
export function fileSha256(path: string): string {
  using file = Deno.openSync(path);
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK);
  for (let read = file.readSync(chunk); read !== null; read = file.readSync(chunk)) {
    hash.update(chunk.subarray(0, read));
  }
  return hash.digest("hex");
}
