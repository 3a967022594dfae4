/** The exponential in f64, against exact arithmetic and its own promise. */
import { expect } from "expect";
import { EXP_F64_ERROR, expF64 } from "../../reference/exp.ts";
import { fixed, FIXED_BITS, fixedExp, relativeError } from "../support/exact.ts";
import { mulberry32 } from "./mulberry32.ts";

Deno.test("the exact exponential: e^0, e^-1 by its digits, and e^x · e^y = e^(x + y)", () => {
  expect(fixedExp(fixed(0))).toBe(1n << FIXED_BITS);
  // 1 / e, to 60 digits.
  const digits = 367879441171442321595523770161460867445811131031767834507836n;
  const scaled = fixedExp(fixed(-1)) * 10n ** 60n >> FIXED_BITS;
  expect(scaled - digits >= -1n && scaled - digits <= 1n).toBe(true);
  const product = fixedExp(fixed(-3.25)) * fixedExp(fixed(-40.5)) >> FIXED_BITS;
  expect(relativeError(product, fixedExp(fixed(-43.75)))).toBeLessThan(2 ** -75);
});

Deno.test("expF64 is what it promises, from 0 to where f32 has long ended", () => {
  const random = mulberry32(7);
  const arguments_ = [0, -(2 ** -1074), -(2 ** -60), -0.34657359, -0.3465736, -1, -87.3, -200];
  for (let i = 0; i < 3000; i++) {
    arguments_.push(-(2 ** (random() % 40 - 32)) * (1 + random() / 2 ** 32) * 0.75);
  }
  let largest = 0;
  for (const x of arguments_.filter((x) => x > -250)) {
    const error = relativeError(fixed(expF64(x)), fixedExp(fixed(x)));
    expect(error).toBeLessThan(EXP_F64_ERROR);
    largest = Math.max(largest, error);
  }
  expect(largest).toBeGreaterThan(2 ** -54);
});

Deno.test("where f64 could hold the result no longer, it is 0", () => {
  expect([-701, -1e4, -3.4e38].map(expF64)).toEqual([0, 0, 0]);
  expect(expF64(-699)).toBeGreaterThan(0);
});
