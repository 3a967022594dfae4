/** ARGMAX: every size of a workgroup, faults that its cases notice, and why it is a tree. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import { firstOfLargest } from "../../reference/argmax.ts";
import { measureRules } from "../../tools/profile/measure.ts";
import { brokenRule } from "../../tools/profile/needs.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { diagnose } from "../../tools/diagnose/diagnose.ts";
import { kernelNamed } from "../support/faults.ts";
import { testAdapter } from "../support/gpu.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const words = (...values: number[]) => new Uint32Array(Float32Array.from(values).buffer);

Deno.test("the reference: the first of equal maxima, zeros are equal, NaN is never the largest", () => {
  expect(firstOfLargest(words(1, 3, 3, 2))).toBe(1);
  expect(firstOfLargest(words(-0, 0))).toBe(0);
  expect(firstOfLargest(words(NaN, -Infinity, NaN))).toBe(1);
  expect(firstOfLargest(words(NaN, NaN))).toBe(0);
  expect(firstOfLargest(words(-3, Infinity, Infinity))).toBe(1);
  expect(() => firstOfLargest(words())).toThrow(/largest of no values/);
});

Deno.test("the reference is what the definition says, value by value", () => {
  for (const { family, parsed } of smallCases("argmax").slice(0, 60)) {
    const { n, logits } = family.input(parsed);
    const values = [...new Float32Array(logits.buffer, 0, n)];
    // No value is above it, and none before it is as large.
    const place = values.findIndex((value) =>
      !Number.isNaN(value) && !values.some((other) => other > value)
    );
    expect(family.reference(family.input(parsed))[0]).toBe(Math.max(0, place));
  }
});

for (const workgroup of [8, 24, 40, 128]) {
  Deno.test(`ARGMAX is right at workgroup ${workgroup}, a power of two or not`, async () => {
    const results = await resultsOf(kernelNamed("ARGMAX"), smallCases("argmax"), workgroup);
    expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
    expect(results.length).toBeGreaterThan(50);
  });
}

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the last of equal ones",
    replace: [["b.place < a.place", "b.place > a.place"]],
    on: /fill=ties/,
  },
  {
    name: "NaN by its bits",
    replace: [["size > 0x7f800000u", "size > 0x7fffffffu"]],
    on: /fill=nan/,
  },
  {
    name: "the NaN next to infinity is a number",
    replace: [["size > 0x7f800000u", "size > 0x7f800001u"]],
    on: /fill=smallest_nan/,
  },
  {
    name: "-0 below +0",
    replace: [["size == 0u || bits < 0x80000000u", "bits < 0x80000000u"]],
    on: /fill=zeros/,
  },
  {
    name: "negative values in the order of their size",
    replace: [["return ~bits;", "return bits & 0x7fffffffu;"]],
    on: /fill=negative/,
  },
  {
    name: "the last logit is left out",
    replace: [["place < p.n)", "place + 1u < p.n)"]],
    on: /fill=last/,
  },
  {
    name: "the last part is left out",
    replace: [["i < p.parts", "i + 1u < p.parts"]],
    on: /fill=ascending/,
  },
  {
    name: "the last of the workgroup is left out",
    replace: [["local + half < left)", "local + half + 1u < left)"]],
    on: /size:.*fill=logit/,
  },
  {
    name: "the next column's logits",
    replace: [["X[col * p.n + place]", "X[col * p.n + place + select(0u, 1u, col > 0u)]"]],
    on: /cols=[2-5],fill=logit/,
  },
];
testFaults(
  "argmax",
  FAULTS.map((fault) => ({ ...fault, kernel: "ARGMAX" })),
);

Deno.test("one invocation that looks at all logits needs more rounds than some adapters make", async () => {
  const vocabulary = caseAt("argmax/vocabulary:n=151936,cols=1,fill=last,seed=1");
  const tree = kernelNamed("ARGMAX");
  const serial = {
    ...tree,
    text: `@group(0) @binding(0) var<storage, read> X: array<u32>;
@group(0) @binding(3) var<storage, read_write> O: array<u32>;
@compute @workgroup_size(1) fn main() {
  var place = 0u;
  for (var i = 1u; i < arrayLength(&X); i++) {
    if (X[i] > X[place]) { place = i; }
  }
  O[0] = place;
}`,
    rounds: ({ n }: { n: number }) => n,
    workgroup: { kind: "fixed", size: 1 } as const,
    prepare: (input: unknown, workgroup: number) => {
      const [part, join] = tree.prepare(input, workgroup);
      const bindings = [part!.bindings[0]!, join!.bindings[1]!];
      return [{ bindings, workgroups: [1, 1, 1] as const }];
    },
  };
  const input = vocabulary.family.input(vocabulary.parsed);
  const device = await openDevice(await testAdapter());
  const rules = await measureRules(device);
  device.destroy();
  const [result] = await resultsOf(serial, [vocabulary]);
  // Where the rule says so it is wrong, and nowhere else.
  const isBroken = brokenRule(rules, [], serial.rounds(input as { n: number })) !== undefined;
  expect(result!.verdict.kind).toBe(isBroken ? "differ" : "pass");
  expect(brokenRule({ loop_rounds: 65_535 }, [], serial.rounds(input as { n: number })))
    .toMatch(/needs 151,936 rounds/);
  expect(brokenRule(rules, [], tree.rounds(input))).toBeUndefined();
});

Deno.test("a failing check of a family without models says so plainly", () => {
  const subject = caseAt("argmax/edge:n=5,cols=3,fill=ties,seed=1");
  const input = subject.family.input(subject.parsed);
  const golden = subject.family.reference(input);
  const wrong = golden.map((word, i) => i === 1 ? word + 7 : word);
  const scene = { subject, input, golden, output: { repeats: [wrong], overrun: 0 } };
  expect(diagnose(scene)).toMatchObject({
    blame: "kernel",
    isComplete: false,
    cause: expect.stringMatching(
      /^of argmax no wrong arithmetics are known, so nothing was recomputed; it differs in one word/,
    ),
  });
});
