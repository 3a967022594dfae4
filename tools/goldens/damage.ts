/**
 * What happened to a golden file that is not what its manifest says: whatever damages files in real
 * life, by name, with the remedy.
 *
 * @module
 */
import { sha256 } from "./bits.ts";
import type { GoldenEntry, Manifest } from "./manifest.ts";

const RESTORE = "Restore it: git checkout -- golden";
const LINE_ENDS =
  "Something converted line ends in a file of bits; .gitattributes must call *.bits " +
  "binary. Then restore it: git rm --cached -r golden && git checkout -- golden";

/**
 * Names the damage.
 *
 * @param entry what the manifest says of the golden
 * @param others all entries of the manifest, to recognize another golden's file
 * @returns state and remedy, or `undefined` where the file is sound
 */
export function damageOf(
  bytes: Uint8Array,
  entry: GoldenEntry,
  others: Manifest,
): string | undefined {
  if (sha256(bytes) === entry.bits) return undefined;
  const expected = entry.words * 4;
  const sizes = `${bytes.length.toLocaleString("en-US")} bytes, manifest says ` +
    `${expected.toLocaleString("en-US")}.`;
  if (bytes.length === 0) return `the file is empty. ${RESTORE}`;
  if (startsWith(bytes, "version https://git-lfs")) {
    return `${sizes} The file is a Git LFS pointer; run git lfs pull.`;
  }
  const found = sha256(bytes);
  const other = [...others].find(([, { bits }]) => bits === found);
  if (other) return `the file holds the bits of "${other[0]}". ${RESTORE}`;
  if (sha256(withoutCarriageReturns(bytes)) === entry.bits) {
    return `${sizes} Every line feed in it has become two bytes (LF to CRLF). ${LINE_ENDS}`;
  }
  if (bytes.length < expected) {
    const lostPairs = "It is truncated, or lost its carriage returns (CRLF to LF).";
    return `${sizes} ${lostPairs} ${RESTORE}`;
  }
  if (bytes.length > expected) return `${sizes} There is more in it than the golden. ${RESTORE}`;
  return "the size is right, and the SHA-256 is not that of the manifest: at least one bit has " +
    `flipped, or it was changed by hand. ${RESTORE}`;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;
}

/** The bytes before LF became CR LF. */
function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 13 && bytes[i + 1] === 10));
}
