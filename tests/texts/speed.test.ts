import { expect } from "expect";
import { compareWithEngine, twinNames } from "../../tools/texts/compare.ts";
import { openEngine } from "../../tools/texts/engine.ts";
import { extractTexts } from "../../tools/texts/extract.ts";
import { openParsers } from "../../tools/texts/grammars.ts";
import { readOwnTexts } from "../../tools/texts/own.ts";
import { readTwins } from "../../tools/texts/twins.ts";
import { js, OTHER, Workplace } from "./workplace.ts";

/** Plain code of about 20 KB, in which there is nothing to find. */
const FILLER = {
  rs: Array.from(
    { length: 200 },
    (_, i) =>
      `/// Adds ${i}, for user@example.org.\npub fn f${i}(x: u32) -> u32 {\n    let note = "no shader \\n";` +
      `\n    x.wrapping_add(${i}) + note.len() as u32\n}\n`,
  ).join("\n"),
  js: Array.from(
    { length: 200 },
    (_, i) =>
      `/** @param {number} x @returns {number} */\nexport function f${i}(x) {\n` +
      `  const note = \`\${x} and ${i}\`;\n  return x + ${i} + note.length;\n}\n`,
  ).join("\n"),
};

Deno.test("an engine of 500 sources is compared in under 3 s", async () => {
  using place = new Workplace();
  for (let i = 0; i < 500; i++) {
    const extension = i % 2 === 0 ? "rs" : "js";
    // Every tenth also holds a shader, and must be parsed whole.
    const shader = i % 20 === 19 ? js(OTHER, `SHADER_${i}`) : "";
    place.writeEngine(`src/m${i % 25}/f${i}.${extension}`, FILLER[extension] + shader);
  }
  const started = performance.now();
  const twins = readTwins(place.root);
  const engine = openEngine(place.engine, "the test");
  const found = extractTexts(engine, twinNames(twins), await openParsers());
  const findings = compareWithEngine(readOwnTexts(place.root, place.kernels), twins, found);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${found.files} sources: ${seconds.toFixed(2)} s`);
  expect(found.files).toBe(502);
  expect(findings.filter(({ kind }) => kind === "unclaimed").length).toBe(25);
  expect(seconds).toBeLessThan(3);
});
