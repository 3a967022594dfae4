/**
 * Small GGUF files, written by the format's specification.
 *
 * @module
 */

export const TYPES = { F32: 0, Q8_0: 8, Q1_0: 41, Q2_0: 42 } as const;

export interface TensorSpec {
  readonly name: string;
  readonly type: number;
  /** Weights in a row, then rows. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** Where the header says it is; default: where it is. */
  readonly offset?: number;
}

export interface FileSpec {
  readonly version?: number;
  readonly littleEndian?: boolean;
  readonly metadata?: Readonly<Record<string, string | number>>;
  readonly tensors: readonly TensorSpec[];
}

const ALIGNMENT = 32;
const aligned = (size: number) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** A file's bytes. */
export function ggufBytes({ version = 3, littleEndian = true, metadata = {}, tensors }: FileSpec) {
  const out: number[] = [];
  const number = (value: number, bytes: 4 | 8) => {
    const view = new DataView(new ArrayBuffer(bytes));
    if (bytes === 4) view.setUint32(0, value, littleEndian);
    else view.setBigUint64(0, BigInt(value), littleEndian);
    out.push(...new Uint8Array(view.buffer));
  };
  const text = (value: string) => {
    const encoded = new TextEncoder().encode(value);
    number(encoded.length, 8);
    out.push(...encoded);
  };
  out.push(0x47, 0x47, 0x55, 0x46); // GGUF
  number(version, 4);
  number(tensors.length, 8);
  number(Object.keys(metadata).length, 8);
  for (const [key, value] of Object.entries(metadata)) {
    text(key);
    number(typeof value === "string" ? 8 : 4, 4); // string or u32
    if (typeof value === "string") text(value);
    else number(value, 4);
  }
  let at = 0;
  for (const { name, shape, type, bytes, offset = at } of tensors) {
    text(name);
    number(shape.length, 4);
    for (const size of shape) number(size, 8);
    number(type, 4);
    number(offset, 8);
    at += aligned(bytes.length);
  }
  const headerBytes = out.length;
  const dataAt = aligned(headerBytes);
  const file = new Uint8Array(dataAt + at);
  file.set(out);
  at = dataAt;
  for (const { bytes } of tensors) {
    file.set(bytes, at);
    at += aligned(bytes.length);
  }
  return { file, headerBytes, dataAt };
}

/** Bytes that are different everywhere, and finite scales in blocks of 18. */
export function weightBytes(count: number, seed = 1): Uint8Array {
  return Uint8Array.from(
    { length: count },
    (_, i) => i % 18 === 1 ? 0x2c : (Math.imul(i + seed, 0x9e3779b1) >>> 13) & 255,
  );
}

/** A model with something of everything: six rows of Q1_0, Q2_0 (in groups of 64), F32. */
export const SMALL: FileSpec = {
  metadata: {
    "general.architecture": "qwen3",
    "general.name": "Tiny Bonsai",
    "general.license": "apache-2.0",
    "qwen3.block_count": 1,
  },
  tensors: [
    { name: "output_norm.weight", type: TYPES.F32, shape: [256], bytes: new Uint8Array(1024) },
    {
      name: "blk.0.attn_q.weight",
      type: TYPES.Q1_0,
      shape: [256, 6],
      bytes: weightBytes(6 * 36),
    },
    {
      name: "blk.0.attn_k.weight",
      type: TYPES.Q2_0,
      shape: [256, 4],
      bytes: weightBytes(4 * 72),
    },
    {
      name: "output.weight",
      type: TYPES.Q1_0,
      shape: [256, 8],
      bytes: weightBytes(8 * 36, 2),
    },
  ],
};

/** A file in a folder of its own, which goes with it. */
export class ModelFile implements Disposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "samebits-model-" });
  readonly path = `${this.folder}/tiny.gguf`;

  constructor(bytes: Uint8Array | FileSpec) {
    Deno.writeFileSync(this.path, bytes instanceof Uint8Array ? bytes : ggufBytes(bytes).file);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}
