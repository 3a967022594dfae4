/** Whatever damages goldens in real life, planted and named. */

import { expect } from "expect";
import { Copy } from "./copies.ts";
import { samebits } from "../support/machine.ts";

// Their bits hold a line feed; the first also a carriage return before one.
const WITH_CRLF = addressHolding((bytes) => pairs(bytes) > 0);
const WITH_LF = addressHolding((bytes) => pairs(bytes) === 0 && bytes.includes(10));
const WITHOUT_LF = addressHolding((bytes) => !bytes.includes(10) && bytes.length > 16);

function pairs(bytes: Uint8Array): number {
  return bytes.filter((byte, i) => byte === 13 && bytes[i + 1] === 10).length;
}

function addressHolding(holds: (bytes: Uint8Array) => boolean): string {
  using copy = new Copy();
  return copy.store().cases().map(({ address }) => address)
    .find((address) => holds(copy.read(address)))!;
}

/** LF becomes CR LF, as a checkout with converted line ends does it. */
function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes].flatMap((byte) => byte === 10 ? [13, 10] : [byte]));
}

function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 13 && bytes[i + 1] === 10));
}

function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => i === 5 ? byte ^ 4 : byte);
}

const DAMAGES: readonly [
  name: string,
  address: string,
  plant: (copy: Copy, address: string) => void,
  state: RegExp,
  remedy: RegExp,
][] = [
  [
    "a Git LFS pointer",
    WITH_LF,
    (copy, address) =>
      copy.write(address, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n"),
    /bytes, manifest says .* The file is a Git LFS pointer/,
    /run git lfs pull/,
  ],
  [
    "LF converted to CRLF",
    WITH_LF,
    (copy, address) => copy.write(address, withCarriageReturns(copy.read(address))),
    /Every line feed in it has become two bytes \(LF to CRLF\)/,
    /\.gitattributes must call it binary/,
  ],
  [
    "CRLF converted to LF",
    WITH_CRLF,
    (copy, address) => copy.write(address, withoutCarriageReturns(copy.read(address))),
    /truncated, or its line ends were converted \(CRLF to LF\)/,
    /git checkout -- golden/,
  ],
  [
    "truncation",
    WITHOUT_LF,
    (copy, address) => copy.write(address, copy.read(address).subarray(0, -3)),
    /bytes, manifest says .* It is truncated\. /,
    /git checkout -- golden/,
  ],
  [
    "an empty file",
    WITH_LF,
    (copy, address) => copy.write(address, ""),
    /the file is empty/,
    /git checkout -- golden/,
  ],
  [
    "a flipped bit",
    WITH_LF,
    (copy, address) => copy.write(address, flipped(copy.read(address))),
    /the size is right.* at least one bit has flipped/,
    /git checkout -- golden/,
  ],
  [
    "the file of another case",
    WITH_LF,
    (copy, address) => copy.write(address, copy.read(WITH_CRLF)),
    new RegExp(`the file is that of "${WITH_CRLF}"`),
    /git checkout -- golden/,
  ],
  [
    "more bytes",
    WITHOUT_LF,
    (copy, address) => copy.write(address, Uint8Array.of(...copy.read(address), 1)),
    /There is more in it than the golden/,
    /git checkout -- golden/,
  ],
  [
    "a manifest that lists what is not there",
    WITH_LF,
    (copy, address) => Deno.removeSync(copy.fileOf(address)),
    /the manifest lists it, and its file is not there/,
    /git checkout -- golden/,
  ],
  [
    "a manifest that misses what is there",
    WITH_LF,
    (copy, address) => copy.editEntry(address, () => undefined),
    /its file is there, and the manifest does not list it/,
    /git checkout -- golden; if the golden is new, list it: deno task golden --accept/,
  ],
  [
    "a case without a golden",
    WITH_LF,
    (copy, address) => {
      Deno.removeSync(copy.fileOf(address));
      copy.editEntry(address, () => undefined);
    },
    /there is none\. If the case is new/,
    /deno task golden --accept --reason/,
  ],
];

for (const [name, address, plant, state, remedy] of DAMAGES) {
  Deno.test(`${name} is named, with its remedy`, () => {
    using copy = new Copy();
    expect(copy.message(address)).toBe("");
    plant(copy, address);
    expect(copy.message(address)).toMatch(`Cannot read golden "${address}": `);
    expect(copy.message(address)).toMatch(state);
    expect(copy.message(address)).toMatch(remedy);
    const untouched = [WITH_CRLF, WITH_LF, WITHOUT_LF].filter((other) => other !== address);
    expect(untouched.map((other) => copy.message(other))).toEqual(["", ""]);
  });
}

const MANIFESTS: readonly [name: string, edit: (text: string) => string, message: RegExp][] = [
  [
    "from a newer version",
    (text) => text.replace(/"format": \d+/, '"format": 99'),
    /its format is 99, that of a newer version of samebits; .* of the same commit/,
  ],
  [
    "from an older version",
    (text) => text.replace(/"format": \d+/, '"format": 1'),
    /its format is 1, that of an older version of samebits; .* of the same commit/,
  ],
  [
    "with a conflict marker",
    (text) => text.replace(/\n( {4}"[^\n]*\n)/, "\n<<<<<<< ours\n$1=======\n$1>>>>>>> theirs\n"),
    /line 4 is an unresolved conflict marker\. Keep the lines of both sides/,
  ],
  [
    "with a conflict marker and converted line ends",
    (text) => text.replace("\n", "\n=======\n").replaceAll("\n", "\r\n"),
    /line 2 is an unresolved conflict marker/,
  ],
  [
    "with the same golden twice",
    (text) => text.replace(/\n( {4}"[^\n]*\n)/, "\n$1$1"),
    /"q1_0_matmul\/[^"]*" stands twice, as after a merge\. Keep the right one/,
  ],
  [
    "that is a Git LFS pointer",
    () => "version https://git-lfs.github.com/spec/v1\n",
    /git lfs pull/,
  ],
  ["that is empty", () => "", /the file is empty\. Restore it: git checkout/],
  ["that is truncated", (text) => text.slice(0, 999), /it is not JSON .* git checkout/],
  ["of something else", () => "[]", /it has no format and goldens\. Restore it/],
  [
    "with an entry that lost a field",
    (text) => text.replace(/"bits":"[0-9a-f]{64}",/, ""),
    /the entry of "q1_0_matmul\/[^"]*" has no valid "bits"\. Restore it/,
  ],
];

for (const [name, edit, message] of MANIFESTS) {
  Deno.test(`a manifest ${name} is refused for what it is`, () => {
    using copy = new Copy();
    copy.editManifest(edit);
    expect(() => copy.message(WITH_LF)).toThrow(message);
    expect(() => copy.message(WITH_LF)).toThrow("Cannot read manifest ");
  });
}

Deno.test("a manifest with converted line ends is still read", () => {
  using copy = new Copy();
  copy.editManifest((text) => text.replaceAll("\n", "\r\n"));
  expect(copy.message(WITH_LF)).toBe("");
});

Deno.test("the gate names a damaged golden and runs nothing", async () => {
  using copy = new Copy();
  copy.write(WITH_LF, "");
  const { code, err } = await samebits(["gate", "--golden", copy.path, WITH_LF]);
  expect(err).toMatch(/the file is empty/);
  expect(code).toBe(4);
});
