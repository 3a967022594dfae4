import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { compareWithEngine, twinNames } from "../../tools/texts/compare.ts";
import { emit } from "../../tools/texts/emit.ts";
import { digest } from "../../tools/texts/own.ts";
import type { Twins } from "../../tools/texts/twins.ts";
import { extract } from "./memory_engine.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Kernel `name` and its one twin, a constant of a Rust file. */
function withTwin(name: string) {
  const own = KERNELS.filter((kernel) => kernel.name === name);
  const { text } = own[0]!;
  const agreement = { commit: null, sha256: digest(text) };
  const twins: Twins = {
    kernels: { [name]: { places: [{ file: "gpu/wgsl.rs", name: "T" }], agreement } },
    others: [],
  };
  const source = bytesOf(emit("rust", "T", text));
  const kinds = (source: Uint8Array) =>
    compareWithEngine(own, twins, extract({ "gpu/wgsl.rs": source }, twinNames(twins)))
      .map(({ kind }) => kind);
  return { source, start: source.indexOf(0x22) + 1, length: bytesOf(text).length, kinds };
}

Deno.test("every byte of Q1_MM, changed in its twin, is caught", () => {
  const { source, start, length, kinds } = withTwin("Q1_MM");
  expect(kinds(source)).toEqual(["same"]);
  const missed: number[] = [];
  for (let at = start; at < start + length; at++) {
    const byte = source[at]!;
    source[at] = byte ^ 1;
    if (kinds(source).includes("same")) missed.push(at - start);
    source[at] = byte;
  }
  expect(missed).toEqual([]);
  expect(kinds(source)).toEqual(["same"]);
});

Deno.test("every byte of Q1_MM, left out of its twin, is caught", () => {
  const { source, start, length, kinds } = withTwin("Q1_MM");
  const missed: number[] = [];
  // A prime step: the test above walks them all, this one sees each kind of byte.
  for (let at = start; at < start + length; at += 13) {
    const shorter = new Uint8Array([...source.subarray(0, at), ...source.subarray(at + 1)]);
    if (kinds(shorter).includes("same")) missed.push(at - start);
  }
  expect(missed).toEqual([]);
});
