/**
 * Files as text, byte for byte: what an editor hides is told.
 *
 * @module
 */

/** A file that is UTF-8; `text` still has the byte order mark and the line ends of the file. */
export interface Decoded {
  readonly text: string;
  readonly bom: boolean;
  readonly crlf: boolean;
}

/** A file that is not UTF-8. */
export interface BadBytes {
  readonly bad: string;
}

const BOM = "\uFEFF";

export function decodeFile(bytes: Uint8Array): Decoded | BadBytes {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, bom: text.startsWith(BOM), crlf: text.includes("\r\n") };
  } catch {
    return { bad: describeBadByte(bytes) };
  }
}

export function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(BOM.length) : text;
}

/** Names the first byte that is no UTF-8, and its place. */
function describeBadByte(bytes: Uint8Array): string {
  const offset = firstBadByte(bytes);
  const before = bytes.subarray(0, offset);
  const line = 1 + before.filter((byte) => byte === 0x0a).length;
  const column = offset - before.lastIndexOf(0x0a);
  const byte = bytes[offset]?.toString(16).padStart(2, "0");
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  const guess = utf16 ? " (it looks like UTF-16)" : "";
  return `it is not UTF-8: byte 0x${byte} at line ${line}, byte ${column} of the line${guess}`;
}

/** The lenient decoder puts U+FFFD there, where the file does not hold U+FFFD itself. */
function firstBadByte(bytes: Uint8Array): number {
  let offset = 0;
  for (const char of new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) {
    const own = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (char === "\uFFFD" && !own) return offset;
    const code = char.codePointAt(0)!;
    offset += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return offset;
}
