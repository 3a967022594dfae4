/** Evidence that a gate leaves, and explain, which reads it elsewhere. */
import { expect } from "expect";
import { FAULTS, plant, SYNTAX_ERROR } from "../support/faults.ts";
import { samebits } from "../support/machine.ts";

const folder = Deno.makeTempDirSync();
const [fault] = FAULTS as [typeof FAULTS[0]];
const text = `${folder}/fault.wgsl`;
Deno.writeTextFileSync(text, plant(fault).text);
const CASE = "q1_0_matmul/random:rows=37,n=640,cols=7,seed=7";

Deno.test("a failing gate leaves evidence, and explain comes to the same conclusion", async () => {
  const evidence = `${folder}/evidence`;
  const gate = await samebits([
    "gate",
    "--kernel",
    fault.kernel,
    "--text",
    `${fault.kernel}=${text}`,
    "--evidence",
    evidence,
    CASE,
  ]);
  expect(gate.code).toBe(1);
  expect(gate.out).toMatch(/the second adapter|no second adapter/);
  expect(gate.out).toMatch(/^CAUSE {2}Q1_DOT: .*rounded before it is added/m);
  const [{ name }] = [...Deno.readDirSync(evidence)] as [Deno.DirEntry];
  const file = `${evidence}/${name}`;
  expect(Deno.statSync(file).size).toBeLessThan(50_000);
  const explained = await samebits(["explain", file]);
  expect(explained.code).toBe(0);
  expect(explained.out).toMatch(/cause +.*rounded before it is added/);
  const first =
    /^ +first +row \d+, column \d+, lane \d, block \d, the sum over .*: expected .*fault.wgsl:\d+\)$/m
      .exec(gate.out)![0];
  expect(explained.out).toContain(first);
  expect(gate.out).toContain(`in 1 of them the first wrong step is ${text}:`);

  const changed = JSON.parse(Deno.readTextFileSync(file));
  const [lane] = changed.trace.wrong.lanes;
  changed.trace.wrong.lanes[0] = changed.trace.wrong.lanes[1];
  Deno.writeTextFileSync(file, JSON.stringify(changed));
  const moved = await samebits(["explain", file]);
  expect(moved.code).toBe(1);
  expect(moved.out).toContain("There the conclusion was another one:");
  changed.trace.wrong.lanes[0] = lane;
  Deno.writeTextFileSync(file, JSON.stringify({ ...changed, input: "0".repeat(64) }));
  const other = await samebits(["explain", file]);
  expect(other.code).toBe(4);
  expect(other.err).toContain("its input here is not the one of the evidence");
  changed.diagnosis.cause = "the moon";
  Deno.writeTextFileSync(file, JSON.stringify(changed));
  expect(await samebits(["explain", file])).toMatchObject({ code: 1 });
});

Deno.test("explain refuses what is no evidence", async () => {
  const file = `${folder}/none.json`;
  for (const content of ["", "null", "[]", '{"format":1}']) {
    Deno.writeTextFileSync(file, content);
    const { code, err } = await samebits(["explain", file]);
    expect(code).toBe(2);
    expect(err).toContain("gate --evidence");
  }
  expect((await samebits(["explain", `${folder}/nosuch.json`])).code).toBe(2);
});

Deno.test("a gate that passes leaves none; a folder that cannot be is told", async () => {
  const passed = await samebits(["gate", "--evidence", `${folder}/none`, CASE]);
  expect(passed.code).toBe(0);
  expect([...Deno.readDirSync(folder)].map(({ name }) => name)).not.toContain("none");
  const args = ["gate", "--kernel", fault.kernel, "--text", `${fault.kernel}=${text}`, CASE];
  const refused = await samebits([...args, "--evidence", text]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("Cannot make the folder of evidence");
});

Deno.test("with a budget the most telling cases run, and the count says how many", async () => {
  const { code, out } = await samebits(["gate", "--budget", "0.01s", "--kernel", "Q1_MM"]);
  expect(code).toBe(0);
  const [, ran, planned] = /^([\d,]+) of ([\d,]+) planned checks ran/m.exec(out)!;
  expect(Number(ran)).toBeGreaterThan(5);
  expect(Number(ran)).toBeLessThan(Number(planned));
  expect((await samebits(["gate", "--budget", "soon"])).code).toBe(2);
});

Deno.test("a text that does not compile is looked into, with its place; the second adapter too", async () => {
  const file = `${folder}/syntax.wgsl`;
  Deno.writeTextFileSync(file, plant(SYNTAX_ERROR).text);
  const args = ["gate", "--kernel", "Q1_MM", "--text", `Q1_MM=${file}`, CASE];
  const { code, out } = await samebits([...args, "--evidence", `${folder}/syntax`]);
  expect(code).toBe(1);
  expect(out).toMatch(/^ {2}blame {4}kernel\n {2}cause {4}Q1_MM does not compile/m);
  expect(out).toMatch(/^ {2}where {4}.*syntax.wgsl:\d+:13: let row = = id.x/m);
});

Deno.test("a second adapter that is not there takes nothing from the evidence", async () => {
  const args = ["gate", "--kernel", fault.kernel, "--text", `${fault.kernel}=${text}`, CASE];
  const missing = await samebits([
    ...args,
    "--evidence",
    `${folder}/missing`,
    "--second",
    "nosuch",
  ]);
  expect(missing.code).toBe(1);
  expect(missing.err).toContain('Cannot find adapter "nosuch"');
  expect(missing.out).toMatch(/^CAUSE {2}Q1_DOT: .*rounded before it is added/m);
  const none = await samebits([...args, "--evidence", `${folder}/none`, "--second", "none"]);
  expect(none.out).toContain("no second adapter");
});
