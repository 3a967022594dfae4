/** Reports that machines read. */
import { expect } from "expect";
import { annotationLines, summaryMarkdown } from "../../tools/report/github.ts";
import { junitXml } from "../../tools/report/junit.ts";
import { RECORD, result, TILE } from "./record.ts";

const fileOf = () => "kernels/a,b.wgsl";

Deno.test("annotations are one line each, escaped, at the place the compiler names", () => {
  const lines = annotationLines(RECORD, fileOf);
  expect(lines.length).toBe(3);
  expect(lines.every((line) => !line.includes("\n"))).toBe(true);
  expect(lines[0]).toMatch(/^::error file=kernels\/a%2Cb\.wgsl,title=Q1_DOT%3A differ::DIFFER /);
  expect(lines[0]).toContain(`'${TILE}'`);
  expect(lines[1]).toMatch(/^::error file=kernels\/q1_mm\.wgsl,line=7,col=3,title=/);
});

Deno.test("no more annotations than GitHub shows", () => {
  const results = Array.from({ length: 30 }, () => result("Q1_DOT", RECORD.results[1]!.verdict));
  expect(annotationLines({ ...RECORD, results }, fileOf).length).toBe(10);
});

Deno.test("the step summary has a row a kernel", () => {
  const text = summaryMarkdown(RECORD);
  expect(text).toContain("| Q1_DOT | 1 | 1 | 0 | 0 |");
  expect(text).toContain("| Q1_MM4 | 0 | 0 | 0 | 1 |");
});

Deno.test("JUnit: counts, properties, and the text that the terminal shows", () => {
  const xml = junitXml(RECORD);
  expect(xml).toContain('<testsuites name="samebits" tests="5" failures="1" errors="2">');
  expect(xml).toContain('<testsuite name="Q1_MM4" timestamp="2026-11-30T22:00:00" tests="1"');
  expect(xml).toContain('<property name="adapter" value="A card &lt;&amp; co&gt;"/>');
  expect(xml).toContain('<skipped message="needs 9 of a thing; the adapter offers 8"/>');
  expect(xml).toMatch(
    /<failure message="differing words: 658 of 1,280[^>]*>[^<]*again: deno task gate/,
  );
  expect(xml).toMatch(/<error message="Q1_MM does not compile/);
});
