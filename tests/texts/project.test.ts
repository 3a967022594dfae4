import { expect } from "expect";
import { KERNELS } from "../../kernels/mod.ts";
import { EXIT } from "../../tools/exit_codes.ts";
import { compareWithRecord } from "../../tools/texts/compare.ts";
import { recordOutcome } from "../../tools/texts/outcome.ts";
import { readOwnTexts, ROOT } from "../../tools/texts/own.ts";
import { readTwins } from "../../tools/texts/twins.ts";

Deno.test("the shader texts are those that were last agreed on", () => {
  const twins = readTwins(ROOT);
  const findings = compareWithRecord(readOwnTexts(ROOT, KERNELS), twins);
  const { lines, exitCode } = recordOutcome(twins, findings);
  // The lines say how a text is changed.
  if (exitCode !== EXIT.passed) throw new Error(lines.join("\n"));
});

Deno.test("the engine's kernels have a twin in its page, and none of them is called our own", () => {
  const { kernels } = readTwins(ROOT);
  for (const name of ["Q1_DOT", "Q1_MM", "Q1_MM4"]) {
    expect(kernels[name]!.places.map(({ file }) => file)).toContain("hf/space/browseml-gpu.js");
  }
});
