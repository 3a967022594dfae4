/** Reading model files: what is whole, and what is not. */

import { expect } from "expect";
import { sha256 } from "../../tools/goldens/bits.ts";
import { fileSha256, type Model, openModel, readRows } from "../../tools/models/model.ts";
import { parseRowRanges } from "../../tools/models/row_ranges.ts";
import { type FileSpec, ggufBytes, ModelFile, SMALL, TYPES, weightBytes } from "./gguf_file.ts";

async function open(bytes: Uint8Array | FileSpec): Promise<Model> {
  using file = new ModelFile(bytes);
  return await openModel(file.path);
}

Deno.test("a file's tensors, and what it says of itself", async () => {
  const { about, tensors, file } = await open(SMALL);
  expect(file).toBe("tiny.gguf");
  expect(about).toEqual({ name: "Tiny Bonsai", architecture: "qwen3", license: "apache-2.0" });
  expect(tensors.map(({ name, type, rows, n, layout }) => [name, type, rows, n, layout?.elements]))
    .toEqual([
      ["output_norm.weight", "F32", 1, 256, undefined],
      ["blk.0.attn_q.weight", "Q1_0", 6, 256, 128],
      ["blk.0.attn_k.weight", "Q2_0", 4, 256, 64],
      ["output.weight", "Q1_0", 8, 256, 128],
    ]);
});

Deno.test("rows are read from their place, and from nowhere else", async () => {
  using file = new ModelFile(SMALL);
  const model = await openModel(file.path);
  const rows = readRows(file.path, model.tensors[1]!, { first: 2, count: 3 });
  expect(rows).toEqual(SMALL.tensors[1]!.bytes.slice(2 * 36, 5 * 36));
  expect(fileSha256(file.path)).toBe(sha256(Deno.readFileSync(file.path)));
});

function twoBit(rows: number, blockBytes: number, elements: number) {
  const bytes = weightBytes(rows * 256 / elements * blockBytes);
  return { type: TYPES.Q2_0, shape: [256, rows], bytes };
}

Deno.test("type 42 has groups of 64 or of 128, and the bytes tell", async () => {
  const groups = async (...tensors: ReturnType<typeof twoBit>[]) => {
    const named = tensors.map((tensor, i) => ({ name: `t${i}`, ...tensor }));
    return (await open({ tensors: named })).tensors.map(({ layout }) => layout!.elements);
  };
  expect(await groups(twoBit(8, 18, 64), twoBit(16, 18, 64))).toEqual([64, 64]);
  expect(await groups(twoBit(8, 34, 128), twoBit(16, 34, 128))).toEqual([128, 128]);
  // The last tensor alone.
  expect(await groups(twoBit(16, 18, 64))).toEqual([64]);
  expect(await groups(twoBit(16, 34, 128))).toEqual([128]);
  // Padding makes the first alike in both; the other one decides.
  expect(await groups(twoBit(1, 34, 128), twoBit(16, 34, 128), twoBit(1, 34, 128)))
    .toEqual([128, 128, 128]);
  await expect(groups(twoBit(16, 18, 64), twoBit(16, 34, 128), twoBit(1, 18, 64)))
    .rejects.toThrow(/tensors of type 42 \(Q2_0\) take neither 18 bytes for 64 weights nor 34/);
});

const { file: whole, headerBytes } = ggufBytes(SMALL);

Deno.test("a truncated file is told, wherever it ends", async () => {
  for (const end of [5, 23, 24, 60, 100, 200, headerBytes - 1]) {
    await expect(open(whole.slice(0, end))).rejects.toThrow(
      new RegExp(`truncated: its header goes on after its ${end} bytes\\. Download it again`),
    );
  }
  for (const end of [whole.length - 8 * 36, whole.length - 33]) {
    await expect(open(whole.slice(0, end))).rejects.toThrow(
      /truncated: tensor "output\.weight" ends at byte [\d,]+, and the file has [\d,]+\./,
    );
  }
});

function withBytes(at: number, ...bytes: number[]): Uint8Array {
  const changed = whole.slice();
  changed.set(bytes, at);
  return changed;
}

const text = (value: string) => new TextEncoder().encode(value);

const REFUSED: readonly [name: string, bytes: Uint8Array | FileSpec, says: RegExp][] = [
  ["an empty file", new Uint8Array(), /the file is empty\. Download it again/],
  ["wrong magic", withBytes(0, 0x50, 0x4b), /begins with "PKUF", not with "GGUF"/],
  ["another format", text('{"metadata":{}}'), /begins with "{\\"me", not with "GGUF"/],
  ["a Git LFS pointer", text("version https://git-lfs.github.com/spec/v1\n"), /run git lfs pull/i],
  ["an old version", { ...SMALL, version: 2 }, /GGUF version 2; version 3 is read here.*Convert/],
  ["an unknown version", { ...SMALL, version: 4 }, /GGUF version 4; version 3 is read.*Update/],
  ["big-endian", { ...SMALL, littleEndian: false }, /it is big-endian/],
  ["absurd counts", withBytes(8, 255, 255, 255, 255, 255), /its header goes on after/],
  ["an absurd type of metadata", withBytes(24 + 8 + 20, 99), /its header makes no sense/],
  [
    "an offset past the end",
    { tensors: [{ ...SMALL.tensors[1]!, offset: 1 << 20 }] },
    /truncated: tensor "blk\.0\.attn_q\.weight" ends at byte 1,04\d,\d{3}, and the file has/,
  ],
  [
    "rows that are not whole blocks",
    { tensors: [{ ...SMALL.tensors[1]!, shape: [192, 6] }] },
    /rows of 192 weights, and a block of Q1_0 holds 128/,
  ],
];

for (const [name, bytes, says] of REFUSED) {
  Deno.test(`refused: ${name}`, async () => {
    await expect(open(bytes)).rejects.toThrow(says);
    await expect(open(bytes)).rejects.toThrow("Cannot read model ");
  });
}

Deno.test("refused: a folder, and no file at all", async () => {
  await expect(openModel(Deno.cwd())).rejects.toThrow(/Cannot read model .*: /);
  await expect(openModel("/nosuch.gguf")).rejects.toThrow(/No such file .* Name a file/);
});

Deno.test("a file of many gigabytes is listed at once", async () => {
  using file = new ModelFile({
    tensors: [
      { ...SMALL.tensors[1]!, name: "first" },
      { ...SMALL.tensors[1]!, name: "far", offset: 6 * 2 ** 30 },
    ],
  });
  Deno.truncateSync(file.path, 7 * 2 ** 30); // sparse
  const { tensors, bytes } = await openModel(file.path);
  expect(bytes).toBe(7 * 2 ** 30);
  expect(readRows(file.path, tensors[1]!, { first: 5, count: 1 })).toEqual(new Uint8Array(36));
});

Deno.test("row ranges", () => {
  expect(parseRowRanges("0-63,7,128-191", 192)).toEqual([
    { first: 0, count: 64 },
    { first: 7, count: 1 },
    { first: 128, count: 64 },
  ]);
  for (const bad of ["", "a", "5-3", "1-2-3", "0-63,", "-1", "1.5", "0..5"]) {
    expect(() => parseRowRanges(bad, 192)).toThrow(/Cannot read --rows .*For instance/);
  }
  expect(() => parseRowRanges("190-192", 192)).toThrow(/has 192 rows, 0 to 191\. Name rows/);
});
