/** Evidence that a gate leaves, and explain, which reads it elsewhere. */
import { expect } from "expect";
import { FAULTS, plant } from "../support/faults.ts";
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
  expect(gate.out).toMatch(/^CAUSE {2}Q1_DOT: .*rounded before it is added/m);
  const [{ name }] = [...Deno.readDirSync(evidence)] as [Deno.DirEntry];
  const file = `${evidence}/${name}`;
  expect(Deno.statSync(file).size).toBeLessThan(50_000);
  const explained = await samebits(["explain", file]);
  expect(explained.code).toBe(0);
  expect(explained.out).toMatch(/cause +.*rounded before it is added/);

  const changed = JSON.parse(Deno.readTextFileSync(file));
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
  for (const content of ["", "null", "[]", '{"format":2}']) {
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
