/**
 * What happened to a file of goldens that is not what its manifest says: whatever damages files in
 * real life, by name, with the remedy.
 *
 * @module
 */
import { sha256 } from "./bits.ts";

/** What a file must be. */
export interface Expected {
  readonly sha256: string;
  readonly bytes: number;
}

const RESTORE = "Restore it: git checkout -- golden";
const LINE_ENDS = "Something converted line ends in a file of bytes; .gitattributes must call it " +
  "binary. Then restore it: git rm --cached -r golden && git checkout -- golden";
const [CR, LF] = [13, 10];

/**
 * Names the damage.
 *
 * @param ownerOf whose file it is that has this SHA-256, if anyone's
 * @returns state and remedy, or `undefined` where the file is sound
 */
export function damageOf(
  bytes: Uint8Array,
  expected: Expected,
  ownerOf: (sha256: string) => string | undefined,
): string | undefined {
  const found = sha256(bytes);
  if (found === expected.sha256) return undefined;
  if (bytes.length === 0) return `the file is empty. ${RESTORE}`;
  const sizes = `${bytes.length.toLocaleString("en-US")} bytes, manifest says ` +
    `${expected.bytes.toLocaleString("en-US")}.`;
  if (startsWith(bytes, "version https://git-lfs")) {
    return `${sizes} The file is a Git LFS pointer; run git lfs pull.`;
  }
  const owner = ownerOf(found);
  if (owner) return `the file is that of "${owner}". ${RESTORE}`;
  if (sha256(withoutCarriageReturns(bytes)) === expected.sha256) {
    return `${sizes} Every line feed in it has become two bytes (LF to CRLF). ${LINE_ENDS}`;
  }
  if (bytes.length < expected.bytes) {
    // A conversion leaves no CR LF; without a lone LF there was nothing to convert.
    const mayBeConverted = hasLineFeed(bytes) && !hasCarriageReturnLineFeed(bytes);
    return mayBeConverted
      ? `${sizes} It is truncated, or its line ends were converted (CRLF to LF). ${RESTORE}`
      : `${sizes} It is truncated. ${RESTORE}`;
  }
  if (bytes.length > expected.bytes) {
    return `${sizes} There is more in it than the golden. ${RESTORE}`;
  }
  return "the size is right, and the SHA-256 is not that of the manifest: at least one bit has " +
    `flipped, or it was changed by hand. ${RESTORE}`;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;
}

/** The bytes before LF became CR LF. */
function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === CR && bytes[i + 1] === LF));
}

function hasLineFeed(bytes: Uint8Array): boolean {
  return bytes.includes(LF);
}

function hasCarriageReturnLineFeed(bytes: Uint8Array): boolean {
  return bytes.some((byte, i) => byte === CR && bytes[i + 1] === LF);
}
