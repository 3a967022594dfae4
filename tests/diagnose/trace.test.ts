/** The steps of a word, noted on the GPU and held against the reference. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { bitsOfF32 } from "../../reference/mod.ts";
import { RIGHT, wordUnder } from "../../tools/diagnose/arithmetic.ts";
import { type Laboratory, whyItDiffers } from "../../tools/diagnose/look.ts";
import type { Departure } from "../../tools/diagnose/trace.ts";
import { traceText } from "../../tools/diagnose/trace_text.ts";
import { parseWgsl } from "../../tools/wgsl/parse.ts";
import { withExecutor } from "../support/diagnosing.ts";
import { kernelNamed } from "../support/faults.ts";
import { ENGINE_KERNELS } from "../support/engine_kernels.ts";

/** Three blocks, a partial tile of rows and of columns. */
const SUBJECT = caseAt("q1_0_matmul/random:rows=37,n=384,cols=7,seed=7");
const INPUT = SUBJECT.family.input(SUBJECT.parsed) as Q1Input;
const BLOCKS = INPUT.n / 128;

/** A kernel's text with one piece, which stands there once, in place of another. */
function changed(kernel: Kernel, ...replace: (readonly [from: string, to: string])[]): Kernel {
  let text = kernel.text;
  for (const [from, to] of replace) {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times: ${from}`);
    text = parts.join(to);
  }
  return { ...kernel, text };
}

/** Looks into the kernel on the case, with the laboratory's runs as they come or changed. */
function lookInto(kernel: Kernel, change = (laboratory: Laboratory) => laboratory) {
  return withExecutor(kernel, async (executor) => {
    const check = { kernel: kernel.name, address: SUBJECT.address, workgroup: 64 };
    const look = await whyItDiffers(change(executor), check, { kernel });
    if (typeof look === "string") throw new Error(look);
    return look;
  });
}

async function departureOf(...[kernel, change]: Parameters<typeof lookInto>) {
  return (await lookInto(kernel, change)).diagnosis.departure;
}

/** What a step ought to give, by the models' own arithmetic and not by the reference. */
function due({ row, col, lane, block, step }: Departure): number {
  const steps: number[] = [];
  wordUnder(RIGHT, INPUT, row, col, (of, value) => {
    if (of === lane) steps.push(bitsOfF32(value));
  });
  return steps[5 * block! + (step === "sum" ? 4 : step as number)]!;
}

/** One step of one word, row 21 and column 6, made wrong; row, column and lane as each names them. */
const IN_PLACE = {
  Q1_DOT: "row == 21u && A[1u] == COLUMN",
  Q1_MM: "row == 21u && col == 6u",
  Q1_MM4: "row == 21u && first_col + c == 6u",
};
const PRODUCT = {
  Q1_DOT: "activation_scale * f32(signed_sum(quants, signs >> (4u * lane)));",
  Q1_MM: "Ad[activations_at + k] * f32(signed_sum(quants, signs));",
  Q1_MM4: "Ad[activations_at] * f32(signed_sum(quants, signs));",
};
const SUM = {
  Q1_DOT: "ab[lane], acc[lane]);",
  Q1_MM: "ab, acc);",
  Q1_MM4: "ab[c], acc[c]);",
};
type Name = keyof typeof SUM;

/** Q1_DOT is not told its column: what it is known by there. */
function placeIn(name: Name): string {
  const bytes = INPUT.activations.subarray(6 * BLOCKS * 4 * 34 + 4, 6 * BLOCKS * 4 * 34 + 8);
  const word = new DataView(bytes.slice().buffer).getUint32(0, true);
  return IN_PLACE[name].replace("COLUMN", `${word}u`);
}

function lineOf({ text }: Kernel, statement: string): number {
  return text.split("\n").findIndex((line) => line.trim().startsWith(statement)) + 1;
}

for (const kernel of ENGINE_KERNELS) {
  const name = kernel.name as Name;
  const at = placeIn(name);

  Deno.test(`${name}: a wrong product is found in its row, column, lane, block and step`, async () => {
    const wrong = changed(kernel, [
      PRODUCT[name],
      PRODUCT[name].replace(
        /;$/,
        ` + select(0.0, 1.0, ${at} && lane == 5u && block == 1u && k == 2u);`,
      ),
    ]);
    const departure = await departureOf(wrong) as Departure;
    expect(departure).toMatchObject({ row: 21, col: 6, lane: 5, block: 1, step: 2 });
    expect(departure.expected).toBe(due(departure));
    expect(departure.actual).not.toBe(departure.expected);
    const [sum] = /^ab(\[\w+\])? = ab.*$/m.exec(kernel.text.replaceAll(/^ +/gm, ""))!;
    expect(departure.place).toMatchObject({ file: kernel.file, line: lineOf(wrong, sum) });
  });

  Deno.test(`${name}: a wrong sum over the blocks is found, and is no sub-block's`, async () => {
    const wrong = changed(kernel, [
      SUM[name],
      SUM[name].replace(/\);$/, ` + select(0.0, 64.0, ${at} && lane == 3u && block == 2u));`),
    ]);
    const departure = await departureOf(wrong) as Departure;
    expect(departure).toMatchObject({ row: 21, col: 6, lane: 3, block: 2, step: "sum" });
    expect(departure.expected).toBe(due(departure));
    expect(departure.place?.source).toContain("fma_exact(");
  });

  Deno.test(`${name}: where the lanes are right, what joins or stores them is named`, async () => {
    const store = name === "Q1_MM4" ? "bitcast<u32>(sum[c])" : "bitcast<u32>(even + odd)";
    const wrong = changed(kernel, [store, `(${store} ^ select(0u, 64u, row == 21u))`]);
    const departure = await departureOf(wrong) as Departure;
    expect(departure).toMatchObject({ row: 21, col: 0 });
    expect(departure.lane).toBe(undefined);
    expect(departure.place?.source).toContain("O[");
  });

  Deno.test(`${name}: the text that tells its steps is sound, and binds what is free`, () => {
    const traced = traceText(kernel, kernel.workers!(0, 0), BLOCKS);
    if (typeof traced === "string") throw new Error(traced);
    expect(kernel.prepare(INPUT, 64)[0]!.bindings.map(({ binding }) => binding))
      .not.toContain(traced.binding);
    expect(traced.sites.map(({ sum }) => sum)).toContain("blocks");
    expect(traced.sites.map(({ sum }) => sum)).toContain("sub-blocks");
  });

  Deno.test(`${name}: the steps of right words are the reference's, in every lane`, async () => {
    const wrong = changed(kernel, [
      name === "Q1_MM4" ? "bitcast<u32>(sum[c])" : "bitcast<u32>(even + odd)",
      (name === "Q1_MM4" ? "bitcast<u32>(sum[c])" : "bitcast<u32>(even + odd)") +
      ` ^ select(0u, 64u, ${at})`,
    ]);
    const { scene } = await lookInto(wrong);
    if (typeof scene.trace !== "object") throw new Error(scene.trace);
    const { wrong: word, sites } = scene.trace;
    expect(word).toMatchObject({ row: 21, col: 6 });
    for (const [lane, notes] of word.lanes.entries()) {
      const steps: number[] = [];
      wordUnder(RIGHT, INPUT, 21, 6, (of, value) => {
        if (of === lane) steps.push(bitsOfF32(value));
      });
      expect(notes.map(({ bits }) => bits)).toEqual(steps);
      expect(notes.map(({ site }) => sites[site]!.sum === "blocks"))
        .toEqual(steps.map((_, i) => i % 5 === 4));
    }
  });
}

const Q1_MM = kernelNamed("Q1_MM");
const WRONG_PRODUCT = "Ad[activations_at + k] * f32(signed_sum(quants, signs) + 1);";
const SUB_BLOCKS = `        if (k == 0u) {
          ab = product;
        } else {
          ab = ab + product;
        }
`;

/** Texts that say the same in other words; each with a wrong product. */
const REWRITTEN: Record<string, readonly (readonly [string, string])[]> = {
  "other names": [
    ["  var acc = 0.0;\n", "  var total: f32;\n"],
    ["fma_exact(Wd[weights_at], ab, acc)", "fma_exact(Wd[weights_at], ab, total)"],
    ["      acc = ", "      total = "],
    ["lanes[local] = acc;", "lanes[local] = total;"],
  ],
  "a loop without a head": [
    [
      "for (var block = 0u; block < p.nb; block++) {",
      "var block = 0u;\n    loop {\n      if (block >= p.nb) { break; }",
    ],
    [
      "acc = fma_exact(Wd[weights_at], ab, acc);",
      "acc = fma_exact(Wd[weights_at], ab, acc);\n      continuing { block++; }",
    ],
  ],
  "a function for the sub-blocks": [
    [
      "@compute",
      `fn sub_blocks(weights_at: u32, activations_at: u32, lane: u32) -> f32 {
  var part = 0.0;
  for (var k = 0u; k < 4u; k++) {
    let signs = Wb[weights_at * 4u + k] >> (4u * lane);
    let quants = Aq[(activations_at + k) * 8u + lane];
    let product = ${WRONG_PRODUCT}
    part = select(part + product, product, k == 0u);
  }
  return part;
}

@compute`,
    ],
    [
      "let product = Ad[activations_at + k] * f32(signed_sum(quants, signs));\n" + SUB_BLOCKS,
      "ab = sub_blocks(weights_at, activations_at, lane);\nbreak;",
    ],
  ],
};

for (const [what, replace] of Object.entries(REWRITTEN)) {
  Deno.test(`a text with ${what} can be traced`, async () => {
    const hasWrong = replace.some(([, to]) => to.includes(WRONG_PRODUCT));
    const kernel = changed(
      Q1_MM,
      ...hasWrong ? [] : [[PRODUCT.Q1_MM, WRONG_PRODUCT] as const],
      ...replace,
    );
    const departure = await departureOf(kernel) as Departure;
    expect(departure).toMatchObject({ row: 0, col: 0, lane: 0, block: 0 });
    expect(departure.expected).toBe(due(departure));
  });
}

Deno.test("a text that cannot be made to tell its steps is refused with the reason", () => {
  const refuse = (...replace: (readonly [string, string])[]) =>
    traceText(changed(Q1_MM, ...replace), Q1_MM.workers!(0, 0), BLOCKS);
  expect(refuse(["  return sum;", "  switch sum { default: {} }\n  return sum;"]))
    .toMatch(/line \d+, column \d+: expected/);
  expect(refuse([SUB_BLOCKS, ""], ["      acc = fma_exact(Wd[weights_at], ab, acc);\n", ""]))
    .toMatch(/no variable of floats/);
  expect(refuse(["  var acc = 0.0;\n", "  var acc = 0.0;\n  var more = 0.0;\n"], [
    "acc = fma_exact(Wd[weights_at], ab, acc);",
    "acc = fma_exact(Wd[weights_at], ab, acc);\n      more = ab;",
  ])).toMatch(/nothing shows which of acc, more is the sum/);
  expect(
    refuse(["@binding(0)", "@binding(FIRST)"], ["override WG", "const FIRST = 0;\noverride WG"]),
  )
    .toMatch(/a binding's number is no literal/);
  expect(refuse(["let row = id.x / 8u;", "let samebits_row = 1u;\n  let row = id.x / 8u;"]))
    .toMatch(/names that begin with samebits_/);
});

const ADD_ONE = [PRODUCT.Q1_MM, WRONG_PRODUCT] as const;

Deno.test("tracing that changes the outcome is told, and nothing is concluded from it", async () => {
  const departure = await departureOf(changed(Q1_MM, ADD_ONE), (laboratory) => ({
    capture: async (check, repeats, beside) => {
      const output = await laboratory.capture(check, repeats, beside);
      if (beside && typeof output === "object" && "repeats" in output) output.repeats[0]![3]! ^= 1;
      return output;
    },
  }));
  expect(departure).toMatch(/tracing changed the outcome/);
});

Deno.test("a tracing run without an end is told", async () => {
  const departure = await departureOf(changed(Q1_MM, ADD_ONE), (laboratory) => ({
    capture: (check, repeats, beside) =>
      beside ? Promise.resolve("No end within 1 s.") : laboratory.capture(check, repeats),
  }));
  expect(departure).toMatch(/the tracing run came to no end: No end within 1 s/);
});

Deno.test("a text that goes another way to right words is not held against the reference's steps", async () => {
  // All sums are twice what they ought to be, and halved at the end: right, by other steps.
  const doubled = [
    ["Ad[activations_at + k] * f32(", "2.0 * Ad[activations_at + k] * f32("],
    ["lanes[local] = acc;", "lanes[local] = 0.5 * acc;"],
  ] as const;
  const store = "bitcast<u32>(even + odd)";
  const departure = await departureOf(
    changed(Q1_MM, ...doubled, [store, `${store} ^ select(0u, 64u, row == 21u)`]),
  );
  expect(departure).toMatch(/takes other steps than the reference, to right words too/);
});

Deno.test("a function's parameters, types and bodies of loops are parsed", () => {
  const [f] = parseWgsl(
    "fn f(@builtin(local_invocation_index) i: u32, x: vec4<f32>) -> f32 {\n" +
      "  loop {\n    var y: f32 = 1.0;\n    continuing { break if y > 2.0; }\n  }\n  return x.x;\n}",
  );
  if (f?.kind !== "function") throw new Error("no function");
  expect(f.parameters.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "i: u32",
    "x: vec4<f32>",
  ]);
  expect(f.parameters[0]!.attributes[0]!.args[0]).toMatchObject({ text: "local_invocation_index" });
  expect(f.returns).toBe("f32");
  const [loop] = f.body.statements;
  if (loop?.kind !== "loop" || loop.body.kind !== "block") throw new Error("no loop");
  expect(loop.body.statements.map(({ kind }) => kind)).toEqual(["declaration", "block"]);
});
