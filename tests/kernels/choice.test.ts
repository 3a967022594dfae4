/** The choice of kernels is what its table says, and never one that an adapter cannot be trusted with. */
import { expect } from "expect";
import { BONSAI } from "../../cases/bonsai.ts";
import { type Abilities, CHOICES, chooseKernel } from "../../kernels/choice.ts";
import { KERNELS } from "../../kernels/mod.ts";

const RULES = { packed_dot_signed: "signed", fma: "rounds_twice", fma_of_near_tie: "lost" };
const FUSED: Abilities["rules"] = { ...RULES, fma: "fused", fma_of_near_tie: "fused" };
const NONE: Abilities["rules"] = {};
const LIMITS = { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 16384 };

const PROCESSOR: Abilities = {
  software: true,
  info: { vendor: "mesa", subgroupMaxSize: 8 },
  rules: RULES,
  limits: LIMITS,
};
const CARD: Abilities = { ...PROCESSOR, software: false, info: { vendor: "nvidia" } };

function chosen(rows: number, cols: number, abilities: Abilities): string {
  const { kernel, workgroup } = chooseKernel("q1_0_matmul", { rows, cols }, abilities);
  return `${kernel.name} ${workgroup}`;
}

Deno.test("on a card the number of outputs decides, and the fma is the driver's where it is fused", () => {
  const fused = { ...CARD, rules: FUSED };
  expect(chosen(2048, 1, CARD)).toBe("Q1_SPLIT 128");
  expect(chosen(2048, 16, fused)).toBe("Q1_SPLIT_FUSED 128");
  expect(chosen(2048, 17, fused)).toBe("Q1_WHOLE_FUSED 128");
  expect(chosen(151_936, 1, CARD)).toBe("Q1_WHOLE 128");
  // Two or three columns would leave a part of each tile idle.
  expect(chosen(151_936, 3, CARD)).toBe("Q1_WHOLE 128");
  expect(chosen(151_936, 4, CARD)).toBe("Q1_TILE 256");
  expect(chosen(2048, 512, CARD)).toBe("Q1_TILE 256");
  expect(chosen(12_288, 512, fused)).toBe("Q1_TILE_FUSED 256");
});

Deno.test("on a processor it is always the same", () => {
  expect(chosen(2048, 1, PROCESSOR)).toBe("Q1_ROWS 8");
  expect(chosen(12_288, 512, { ...PROCESSOR, rules: FUSED })).toBe("Q1_ROWS 8");
});

Deno.test("a kernel whose rule is not kept, or was not measured, is passed over", () => {
  for (const rules of [NONE, { ...FUSED, packed_dot_signed: "unsigned" }]) {
    // The next line that fits: that kernel needs no rule.
    expect(chosen(2048, 1, { ...CARD, rules })).toBe(
      rules === NONE ? "Q1_TILE 256" : "Q1_TILE_FUSED 256",
    );
  }
  // Both rules of a fused fma are needed.
  expect(chosen(2048, 1, { ...CARD, rules: { ...FUSED, fma_of_near_tie: "lost" } }))
    .toBe("Q1_SPLIT 128");
});

Deno.test("a projection uses subgroups where the device has them, and a table for many columns", () => {
  const chosen = (cols: number, more: Partial<Abilities> = {}) =>
    chooseKernel("q1_projection", { rows: 2048, cols }, { ...CARD, ...more }).kernel.name;
  expect(chosen(1)).toBe("Q1_PROJECT");
  expect(chosen(1, { features: new Set(["subgroups"]) })).toBe("Q1_PROJECT_SUBGROUP");
  expect(chosen(64, { features: new Set(["subgroups"]) })).toBe("Q1_PROJECT_SUBGROUP");
  expect(chosen(65)).toBe("Q1_LUT4");
  expect(chosen(1, { software: true, features: new Set(["subgroups"]) })).toBe("Q1_PROJECT");
  expect(chosen(512, { software: true })).toBe("Q1_PROJECT");
});

Deno.test("of Q2_0, too, the number of outputs decides", () => {
  const chosen = (rows: number, cols: number, abilities: Abilities = CARD) =>
    chooseKernel("q2_0_matmul", { rows, cols }, abilities).kernel.name;
  expect(chosen(2048, 16)).toBe("Q2_SPLIT");
  expect(chosen(2048, 17)).toBe("Q2_WHOLE");
  expect(chosen(151_936, 3)).toBe("Q2_WHOLE");
  expect(chosen(151_936, 4)).toBe("Q2_TILE");
  const fused = { ...CARD, rules: FUSED };
  expect([1, 32, 512].map((cols) => chosen(4096, cols, fused)))
    .toEqual(["Q2_SPLIT_FUSED", "Q2_WHOLE_FUSED", "Q2_TILE_FUSED"]);
  const none = { ...CARD, rules: NONE };
  expect([1, 512].map((cols) => chosen(4096, cols, none))).toEqual(["Q2_LANES", "Q2_DOT"]);
  expect(chosen(2048, 512, { ...PROCESSOR, rules: FUSED })).toBe("Q2_ROWS");
});

Deno.test("so is one that is too large, and one that is not allowed", () => {
  const small = { ...LIMITS, maxComputeInvocationsPerWorkgroup: 128 };
  expect(chosen(2048, 512, { ...CARD, limits: small })).toBe("Q1_WHOLE 128");
  const little = { ...LIMITS, maxComputeWorkgroupStorageSize: 4096 };
  expect(chosen(2048, 1, { ...CARD, limits: little })).toBe("Q1_MM 32");
  expect(chosen(2048, 9, { ...CARD, limits: little })).toBe("Q1_MM4 32");
  expect(chosen(2048, 1, { ...CARD, rules: FUSED, proven: ["Q1_SPLIT", "Q1_MM"] }))
    .toBe("Q1_SPLIT 128");
});

Deno.test("where nothing is left it is said", () => {
  expect(() => chosen(2048, 1, { ...CARD, proven: [] })).toThrow(
    /Do this product on the processor/,
  );
  expect(() => chooseKernel("q9", { rows: 1, cols: 1 }, CARD)).toThrow(/the table has q1_0_matmul/);
});

Deno.test("whatever is chosen for a model on a recorded adapter, the adapter keeps its rules", async () => {
  const folder = new URL("../../golden/profiles/", import.meta.url);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const { rules, adapter } = JSON.parse(await Deno.readTextFile(new URL(name, folder)));
    for (const { rows } of Object.values(BONSAI).flatMap((matrices) => Object.values(matrices))) {
      for (const cols of [1, 2, 9, 64, 512]) {
        const { kernel } = chooseKernel("q1_0_matmul", { rows, cols }, {
          ...CARD,
          software: adapter.software,
          rules,
        });
        for (const { rule, answer } of kernel.needs ?? []) expect(rules[rule]).toBe(answer);
        expect(kernel.name.endsWith("_FUSED")).toBe(rules.fma === "fused");
      }
    }
  }
});

Deno.test("every kernel that the table names exists, and computes that family", () => {
  for (const [family, choices] of Object.entries(CHOICES)) {
    for (const name of choices.flatMap(({ kernels }) => kernels)) {
      expect(KERNELS.find((one) => one.name === name)?.family).toBe(family);
    }
  }
});
