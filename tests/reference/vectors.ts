/** Reading tests/vectors/: each file's and each section's SHA-256 is verified before use. */

import assert from "assert";

const ROOT = new URL("../vectors/", import.meta.url);

interface Section {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The fields of a manifest entry that the tests use. */
export interface VectorCase {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly op: string;
  readonly n: number;
  readonly rows: number;
  readonly cols: number;
  readonly outputs: number;
  readonly compare: string;
  readonly expected_nan?: number;
  readonly expected_inf?: number;
  readonly expected_zero?: number;
  readonly quants_equal_minus128?: number;
  readonly bytes_differing_from_quantize_row_q8_0_ref?: number;
  readonly wrong_outputs_if?: Record<string, number>;
  readonly sections: readonly Section[];
}

/** All cases of one operation; none is an error, because nothing is green by absence. */
export function vectorCases(...ops: string[]): VectorCase[] {
  const manifest = JSON.parse(Deno.readTextFileSync(new URL("manifest.json", ROOT)));
  const cases = (manifest.cases as VectorCase[]).filter((entry) => ops.includes(entry.op));
  assert(
    cases.length > 0,
    `Cannot test ${ops.join(", ")}: tests/vectors/manifest.json has no such case. Copy it again.`,
  );
  return cases;
}

/** Every operation that the manifest names. */
export function vectorOps(): string[] {
  const manifest = JSON.parse(Deno.readTextFileSync(new URL("manifest.json", ROOT)));
  return [...new Set((manifest.cases as VectorCase[]).map((entry) => entry.op))].sort();
}

/** A case's sections by name, each a copy of its own. */
export async function readSections(entry: VectorCase): Promise<Record<string, Uint8Array>> {
  const file = await Deno.readFile(new URL(entry.file, ROOT));
  assert.equal(file.length, entry.bytes, `${entry.file}: length`);
  assert.equal(await sha256(file), entry.sha256, `${entry.file}: SHA-256 of the file`);
  const sections: Record<string, Uint8Array> = {};
  for (const { name, offset, bytes, sha256: expected } of entry.sections) {
    const section = file.slice(offset, offset + bytes);
    assert.equal(section.length, bytes, `${entry.file}: length of section ${name}`);
    assert.equal(await sha256(section), expected, `${entry.file}: SHA-256 of section ${name}`);
    sections[name] = section;
  }
  return sections;
}

/** The little-endian u32 words of a section. */
export function words(section: Uint8Array): Uint32Array {
  const view = new DataView(section.buffer, section.byteOffset, section.length);
  return Uint32Array.from({ length: section.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
