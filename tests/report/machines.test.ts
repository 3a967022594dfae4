/** Reports that machines read. */
import { expect } from "expect";
import { XmlDocument, XsdValidator } from "libxml2";
import {
  annotationLines,
  mergedMarkdown,
  problemAnnotations,
  summaryMarkdown,
} from "../../tools/report/github.ts";
import { junitXml } from "../../tools/report/junit.ts";
import { matrixOf } from "../../tools/report/matrix.ts";
import type { RunRecord } from "../../tools/report/record.ts";
import { EVERY_MERGED, EVERY_RUN } from "../records/every_field.ts";
import { fromFileUrl } from "../support/paths.ts";
import { DIFFERING, RECORD, result, TILE } from "./record.ts";

const fileOf = () => "kernels/a,b.wgsl";

Deno.test("annotations are one line each, escaped, at the place the compiler names", () => {
  const lines = annotationLines([RECORD], fileOf);
  expect(lines.every((line) => !line.includes("\n"))).toBe(true);
  expect(lines[0]).toMatch(
    /^::error file=kernels\/a%2Cb\.wgsl,title=Q1_DOT%3A differ on A card <& co>::DIFFER /,
  );
  expect(lines[0]).toContain(`'${TILE}'`);
  expect(lines[1]).toMatch(/^::error file=kernels\/q1_mm\.wgsl,line=7,col=3,title=/);
});

Deno.test("a text that does not compile is one annotation, however many checks it fails", () => {
  const lines = annotationLines([RECORD], fileOf);
  expect(lines.length).toBe(2);
  expect(lines[1]).toMatch(/the same for 1 other check$/);
});

Deno.test("what fails in every shard is one annotation, and its line is of the shard it is from", () => {
  const shard = (text: string, results = RECORD.results.slice(2, 3)) => ({
    ...RECORD,
    options: [`--text Q1_MM=${text}`],
    results,
  });
  const passing = shard("mine.wgsl", RECORD.results.slice(0, 1));
  const lines = annotationLines([passing, shard("a.wgsl"), shard("b.wgsl")], fileOf);
  expect(lines.length).toBe(1);
  expect(lines[0]).toMatch(/--text Q1_MM=a\.wgsl .*the same for 1 other check$/);
});

Deno.test("a diagnosis that knows the line points at it, for its own check alone", () => {
  const place = {
    file: "kernels/q1_dot.wgsl",
    line: 88,
    column: 5,
    source: "  acc = fma(a, b, c);",
  };
  const { check } = RECORD.results[1]!;
  const diagnosis = { check, blame: "kernel", cause: "fma", isComplete: true, lines: [], place };
  const [first] = annotationLines([{ ...RECORD, diagnoses: [diagnosis] }], fileOf);
  expect(first).toMatch(/^::error file=kernels\/q1_dot\.wgsl,line=88,col=5,/);
  const other = { ...diagnosis, check: { ...check, workgroup: 64 } };
  const [unplaced] = annotationLines([{ ...RECORD, diagnoses: [other] }], fileOf);
  expect(unplaced).toMatch(/^::error file=kernels\/a%2Cb\.wgsl,title=/);
});

Deno.test("no more annotations than GitHub shows", () => {
  const results = Array.from(
    { length: 30 },
    (_, i) => result("Q1_DOT", DIFFERING, `a/b:seed=${i}`),
  );
  expect(annotationLines([{ ...RECORD, results }], fileOf).length).toBe(10);
});

Deno.test("the step summary has a row a kernel", () => {
  const text = summaryMarkdown(RECORD);
  expect(text).toContain("| Q1_DOT | 1 | 1 | 0 | 0 |");
  expect(text).toContain("| Q1_MM4 | 0 | 0 | 0 | 1 |");
});

const OTHER: RunRecord = {
  ...RECORD,
  adapter: { ...RECORD.adapter, description: "Other | card" },
  results: [result("Q1_DOT", { kind: "pass", words: 165 })],
  planned: 1,
};

Deno.test("the summary of a merge is the matrix, what is missing, and whose the failures are", () => {
  const runs = [RECORD, OTHER];
  const problems = ["A card: shard 2/3 is missing. ```"];
  const text = mergedMarkdown({ ...EVERY_MERGED, runs, problems }, matrixOf(runs));
  expect(text).toContain("| kernel | A card <& co> | Other \\| card |");
  expect(text).toMatch(
    /^\| Q1_DOT \| \*\*1 differ\*\*<br>2 checks.* \| pass<br>1 checks<br>165 words/m,
  );
  expect(text).toMatch(/^\| Q1_MM4 \| .* \| not run \|$/m);
  expect(text).toMatch(/^On A card <& co>:\n\n```\nDIFFER {2}Q1_DOT/m);
  expect(text).not.toContain("On Other");
  expect(text).toContain("````\nA card: shard 2/3 is missing. ```\n````");
});

Deno.test("what is missing is an annotation of no file", () => {
  expect(problemAnnotations({ problems: ["a.json:\nbad"] })).toEqual([
    "::error title=samebits merge::a.json:%0Abad",
  ]);
});

const schema = XsdValidator.fromDoc(
  XmlDocument.fromString(Deno.readTextFileSync(fromFileUrl("../report/junit.xsd"))),
);

/** What the schema has against the text; nothing where it is valid. */
function junitProblem(xml: string): string | undefined {
  try {
    schema.validate(XmlDocument.fromString(xml));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Every text of elements of this name, or of this attribute of theirs. */
function valuesIn(xml: string, path: string): string[] {
  return XmlDocument.fromString(xml).root.find(path).map(({ content }) => content);
}

Deno.test("JUnit: valid, with counts, times, properties, and the text that the terminal shows", () => {
  const xml = junitXml([RECORD, OTHER]);
  expect(junitProblem(xml)).toBeUndefined();
  expect(valuesIn(xml, "//testsuite/@name")).toEqual(["Q1_DOT", "Q1_MM", "Q1_MM4", "Q1_DOT"]);
  expect(valuesIn(xml, "//testsuite/@failures")).toEqual(["1", "0", "0", "0"]);
  expect(valuesIn(xml, "//testsuite/@errors")).toEqual(["0", "2", "0", "0"]);
  expect(valuesIn(xml, "//testsuite/@skipped")).toEqual(["0", "0", "1", "0"]);
  expect(valuesIn(xml, "//testsuite[1]/@timestamp")).toEqual(["2026-11-30T22:00:00"]);
  expect(valuesIn(xml, "//property[@name='adapter']/@value")[0]).toBe("A card <& co>");
  expect(valuesIn(xml, "//skipped/@message")).toEqual(["needs 9 of a thing; the adapter offers 8"]);
  expect(valuesIn(xml, "//failure")[0]).toMatch(
    /^ {2}differing words: 658 of 1,280[^]*NaN[^]*again: deno task gate --kernel Q1_DOT/,
  );
  expect(valuesIn(xml, "//error/@message")[0]).toMatch(/^Q1_MM does not compile/);
  // Readers take class and name for the identity: the same check on two adapters is two tests.
  expect(valuesIn(xml, "//testcase/@classname").filter((name) => name.includes("Q1_DOT"))).toEqual([
    "a_card_co.Q1_DOT.workgroup_32",
    "a_card_co.Q1_DOT.workgroup_32",
    "other_card.Q1_DOT.workgroup_32",
  ]);
});

Deno.test("JUnit: durations add up, and the profile and its key are properties", () => {
  const xml = junitXml([EVERY_RUN]);
  expect(junitProblem(xml)).toBeUndefined();
  expect(valuesIn(xml, "//testcase/@time")).toEqual(Array(4).fill("0.250000"));
  expect(valuesIn(xml, "//testsuite/@time")).toEqual(["1.000000"]);
  const properties = Object.fromEntries(
    valuesIn(xml, "//property/@name").map((
      name,
      i,
    ) => [name, valuesIn(xml, "//property/@value")[i]]),
  );
  expect(properties).toMatchObject({
    profile: "11111111",
    key: "a_card.00000000.11111111.deno_2_9_6",
    commit: EVERY_RUN.tree.commit,
    complete: "false",
  });
});

Deno.test("JUnit: what a driver may print stays XML, and can be read", () => {
  const message = "]]> \0\x1b[31m\ufffe\ud800 <![CDATA[ & \"NaN\" 'inf' \r\n\t-->";
  const xml = junitXml([{
    ...RECORD,
    results: [result("Q1_MM", { kind: "error", ran: true, message })],
  }]);
  expect(junitProblem(xml)).toBeUndefined();
  expect(valuesIn(xml, "//error/@message")[0]).toBe(
    "]]> \\u0000\\u001b[31m\\ufffe\ufffd <![CDATA[ & \"NaN\" 'inf'",
  );
  expect(valuesIn(xml, "//error")[0]).toContain("]]> \\u0000\\u001b[31m");
});

Deno.test("JUnit: a run without results is valid", () => {
  expect(junitProblem(junitXml([{ ...RECORD, results: [] }]))).toBeUndefined();
});

const XML_FAULTS: readonly [from: RegExp, to: string, says: RegExp][] = [
  [/ time="[\d.]+"/, "", /attribute 'time' is required/],
  [/ time="[\d.]+"/, ' time="NaN"', /'NaN' is not a valid value|not accepted by the pattern/],
  [/T22:00:00"/, 'T22:00:00Z"', /timestamp/],
  [/<properties>[^]*?<\/properties>/, "", /Expected is \( properties \)/],
  [/<system-out\/>/, "", /Expected is .*(testcase|system-out)/],
  [/ type="differ"/, "", /attribute 'type' is required/],
  [/<testsuites>/, '<testsuites tests="5">', /attribute 'tests' is not allowed/],
];

for (const [from, to, says] of XML_FAULTS) {
  Deno.test(`JUnit: the schema finds ${from} made ${to || "nothing"}`, () => {
    const xml = junitXml([RECORD]);
    expect(xml).toMatch(from);
    expect(junitProblem(xml.replace(from, to))).toMatch(says);
  });
}
