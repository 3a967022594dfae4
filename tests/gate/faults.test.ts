/** Kernels with planted faults, held against the goldens' own source: each must be caught. */
import { expect } from "expect";
import { quickCases } from "../../cases/mod.ts";
import type { Kernel } from "../../kernels/kernel.ts";
import { prove, type ProveOptions } from "../../tools/runner/prove.ts";
import { failuresOf, type Mismatch, type Result } from "../../tools/runner/verdict.ts";
import {
  type Fault,
  FAULTS,
  JOINED_BY_NEIGHBOUR,
  kernelNamed,
  MOVING,
  NO_HIDE,
  OVERRUN,
  OWN_FMA,
  plant,
  RACE,
  RACE_ATTEMPTS,
  SYNTAX_ERROR,
  UNWRITTEN,
} from "../support/faults.ts";
import { adapterKind, testAdapter } from "../support/gpu.ts";

/** The failures of one kernel on the cases whose addresses contain a text. */
async function failures(
  kernel: Kernel,
  options: ProveOptions & { containing?: string } = {},
): Promise<readonly Result[]> {
  const { containing = "", ...rest } = options;
  const cases = quickCases().filter(({ address }) => address.includes(containing));
  const { kernels } = await prove(await testAdapter(), { kernels: [kernel], cases, ...rest });
  return failuresOf(kernels.flatMap((one) => one.failures));
}

function mismatches(results: readonly Result[]): Mismatch[] {
  return results.flatMap(({ verdict }) => verdict.kind === "differ" ? [verdict.mismatch] : []);
}

const bothFaultless = ["Q1_DOT", "Q1_MM", "Q1_MM4"];
for (const name of bothFaultless) {
  Deno.test(`without a fault, ${name} passes`, async () => {
    expect(await failures(kernelNamed(name))).toEqual([]);
  });
}

for (const fault of FAULTS) {
  Deno.test(`caught on every adapter: ${fault.name}`, async () => {
    expect(mismatches(await failures(plant(fault))).length).toBeGreaterThan(0);
  });
}

/** The two whose fault depends on what the adapter does with them. */
const DEPENDING: readonly { fault: Fault; wrongOn: readonly string[] }[] = [
  // The H200's fma is fused: there it is as good as the built one.
  { fault: OWN_FMA, wrongOn: ["llvmpipe", "swiftshader"] },
  // Neither SwiftShader nor the H200 (driver 580.159.04) folds it here; Mesa does.
  { fault: NO_HIDE, wrongOn: ["llvmpipe"] },
];

for (const { fault, wrongOn } of DEPENDING) {
  Deno.test(`caught where it is wrong (${wrongOn.join(", ")}): ${fault.name}`, async (test) => {
    const kind = await adapterKind();
    await test.step({
      name: `on ${kind}`,
      ignore: kind === "other", // nobody has measured what it does
      fn: async () => {
        expect((await failures(plant(fault))).length > 0).toBe(wrongOn.includes(kind));
      },
    });
  });
}

Deno.test("a fused multiply-add that rounds twice is caught by every trap and cancel case", async () => {
  if (!["llvmpipe", "swiftshader"].includes(await adapterKind())) return;
  for (const group of ["q1_0_matmul/trap:", "q1_0_matmul/cancel:"]) {
    const cases = quickCases().filter(({ address }) => address.includes(group));
    const found = await failures(plant(OWN_FMA), { containing: group });
    expect(found.length).toBe(cases.length);
  }
});

Deno.test("a word that is not written is called that", async () => {
  const found = mismatches(await failures(plant(UNWRITTEN), { containing: "/tile:rows=9," }));
  expect(found.length).toBeGreaterThan(0);
  for (const { differing, unwritten, rows, first } of found) {
    expect({ differing, unwritten, rows }).toEqual({ differing: 1, unwritten: 1, rows: [3] });
    expect(first).toMatchObject({ row: 3, col: 0 });
  }
});

Deno.test("unwritten words are seen where the golden is a NaN, too", async () => {
  const found = mismatches(
    await failures(plant(UNWRITTEN), { containing: "w=nan,signs=random,a=nan" }),
  );
  expect(found.map(({ unwritten }) => unwritten)).toEqual([1]);
});

Deno.test("a word past the end is called that, and is not a wrong word", async () => {
  const found = mismatches(await failures(plant(OVERRUN), { containing: "/tile:rows=64," }));
  expect(found.length).toBeGreaterThan(0);
  for (const { overrun, differing } of found) {
    expect(overrun).toBeGreaterThan(0);
    expect(differing).toBe(0);
  }
});

Deno.test("a race on workgroup memory is caught, and it is the race that is", async () => {
  const options = { workgroups: [64], containing: "/random:" };
  expect(await failures(plant(JOINED_BY_NEIGHBOUR), options)).toEqual([]);
  expect((await failures(plant(RACE), options)).length).toBeGreaterThan(0);
});

Deno.test("a result that moves between repetitions is called a race", async () => {
  const options = { repeats: 8, workgroups: [8], containing: "/random:rows=512" };
  let moving: Mismatch["moving"];
  for (let attempt = 0; !moving && attempt < RACE_ATTEMPTS; attempt++) {
    moving = mismatches(await failures(plant(MOVING), options))[0]?.moving;
  }
  expect(moving).toEqual({ repeats: 8, words: 1 });
});

Deno.test("a text that does not compile is a verdict with its place", async () => {
  const found = await failures(plant(SYNTAX_ERROR), { containing: "/trap:" });
  expect(found.length).toBeGreaterThan(0);
  for (const { verdict } of found) {
    expect(verdict).toMatchObject({
      kind: "error",
      ran: false,
      place: {
        file: "kernels/q1_mm.wgsl",
        line: kernelNamed("Q1_MM").text.split("\n").findIndex((l) => l.includes("let row = id")) +
          1,
        column: 13,
        source: "  let row = = id.x / 8u;",
      },
    });
  }
});
