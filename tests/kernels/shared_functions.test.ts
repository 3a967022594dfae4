/**
 * A shader text stands alone, as its twin in an engine does, so functions like the built fma are in
 * several of them. They must be the same in all: what is mended in one is mended in every one.
 */
import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";

/** Functions of a text by name, without comments, which may name what is around; no entry points. */
function functionsOf(text: string): Map<string, string> {
  const parts = text.replaceAll(/ *\/\/.*/g, "")
    .matchAll(/^(?<!@compute[^\n]*\n)fn (\w+)\([\s\S]*?^\}\n/gm);
  return new Map([...parts].map(([part, name]) => [name!, part]));
}

/** Names of functions that two texts write in different ways. */
function differing(texts: readonly string[]): string[] {
  const known = new Map<string, string>();
  const names = texts.flatMap((text) =>
    [...functionsOf(text)].filter(([name, part]) => {
      if (!known.has(name)) known.set(name, part);
      return known.get(name) !== part;
    }).map(([name]) => name)
  );
  return [...new Set(names)];
}

const TEXTS = KERNELS.map(({ text }) => text);

Deno.test("a function that stands in several shader texts is the same in all", () => {
  const names = TEXTS.flatMap((text) => [...functionsOf(text).keys()]);
  expect(names.filter((name) => name === "fma_exact").length).toBeGreaterThan(4);
  expect(differing(TEXTS)).toEqual([]);
});

Deno.test("one that is changed in one text only is named", () => {
  const changed = TEXTS[1]!.replace("total.error, product.error", "product.error, total.error");
  expect(changed).not.toBe(TEXTS[1]);
  expect(differing([changed, ...TEXTS])).toEqual(["fma_exact"]);
});
