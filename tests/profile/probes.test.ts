/** Probes: each can tell its answers apart, and finds on known adapters what was measured there. */
import { expect } from "expect";
import { ACCURACY } from "../../tools/profile/accuracy.ts";
import { LOOPS } from "../../tools/profile/loops.ts";
import { ABSENT, answerOf, measureRules, WORD_PROBES } from "../../tools/profile/measure.ts";
import { MEMORY } from "../../tools/profile/memory.ts";
import { QUESTIONS } from "../../tools/profile/questions.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { adapterKind, testAdapter } from "../support/gpu.ts";

Deno.test("every probe's answers are different words: each input is a positive control", () => {
  for (const { rule, answers } of WORD_PROBES) {
    const words = Object.values(answers).map((word) => word >>> 0);
    expect({ rule, answers: words.length > 1 }).toEqual({ rule, answers: true });
    expect({ rule, distinct: new Set(words).size }).toEqual({ rule, distinct: words.length });
  }
});

Deno.test("no two rules have one name", () => {
  const names = [...WORD_PROBES, ...ACCURACY, ...LOOPS, ...MEMORY].map(({ rule }) => rule);
  expect(new Set(names).size).toBe(names.length);
});

Deno.test("a word that is no answer is shown, not guessed", () => {
  expect(answerOf({ kept: 1, folded: 0 }, 0xffa5c3d2)).toBe("other: ffa5c3d2");
});

/** From the table of platforms, measured by hand before there were probes. */
const MEASURED: Record<string, Record<string, string | number>> = {
  llvmpipe: {
    fma: "rounds_twice",
    contraction: "separate",
    sum_less_term: "folded",
    subnormal_in: "kept",
    subnormal_out: "kept",
    infinity_minus_itself: "folded",
    nan_differs_from_itself: "false",
    ulp_division: 0,
    read_beyond_storage: "zero",
    hidden_by_or_zero: "kept",
    hidden_by_bitcast: "folded",
  },
  swiftshader: {
    fma: "rounds_twice",
    sum_less_term: "kept",
    subnormal_in: "flushed",
    subnormal_out: "flushed",
    infinity_minus_itself: "nan",
    loop_rounds: "unlimited",
    read_beyond_storage: "last_element",
  },
  nvidia: {
    fma: "fused",
    contraction: "contracted",
    sum_less_term: "folded",
    subnormal_in: "flushed",
    loop_rounds: "unlimited",
    hidden_by_or_zero: "kept",
  },
};

Deno.test("the probes find what was measured by hand, twice the same", async () => {
  const device = await openDevice(await testAdapter());
  const rules = await measureRules(device);
  expect(rules).toMatchObject(MEASURED[await adapterKind()] ?? {});
  expect(await measureRules(device)).toEqual(rules);
  expect(Object.keys(rules).filter((rule) => !QUESTIONS.has(rule))).toEqual([]);
  expect(Object.values(rules).filter((answer) => String(answer).startsWith("other"))).toEqual([]);
  device.destroy();
});

Deno.test("probes that an adapter cannot compile are absent, not answered", async () => {
  const device = await openDevice(await testAdapter());
  const refused = new Proxy(device, {
    get: (target, name) => {
      if (name === "createShaderModule") {
        return () => target.createShaderModule({ code: "fn main( {" });
      }
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { subgroup_size: _, ...rules } = await measureRules(refused);
  expect(new Set(Object.values(rules))).toEqual(new Set([ABSENT]));
  device.destroy();
});
