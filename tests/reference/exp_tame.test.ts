/** How near the built exponential function is to the true one, and SwiGLU, over dense sets. */
import { expect } from "expect";
import { expTame } from "../../reference/exp_tame.ts";
import { f32OfBits } from "../../reference/f32.ts";
import { swigluExact } from "../../reference/swiglu_exact.ts";
import { TAME_LEAST } from "../../reference/tame.ts";

/** −2^-25, from where on e^x is not 1, to −87, below which it is zero; each 97th f32. */
function* sizes(): Generator<number> {
  for (let bits = 0x33000000; bits < 0x42ae0000; bits += 97) yield f32OfBits(bits);
}

/** The distance of two values in units of the last place that the true one has as an f32. */
const inUlp = (found: number, right: number) =>
  Math.abs(found - right) / 2 ** (Math.floor(Math.log2(Math.abs(right))) - 23);

Deno.test("e^x is at most 1.009 units in the last place off, and never rises above 1", () => {
  let worst = 0, compared = 0, above = 0, notZero = 0;
  for (const size of sizes()) {
    // Math.exp is right to a unit in its last place, 2^-29 of ours.
    const right = Math.exp(-size);
    const found = expTame(-size);
    if (!(found <= 1)) above++;
    if (right < TAME_LEAST * (1 - 2 ** -22) && found !== 0) notZero++;
    if (right < TAME_LEAST * (1 + 2 ** -22)) continue;
    worst = Math.max(worst, inUlp(found, right));
    compared++;
  }
  expect({ above, notZero }).toEqual({ above: 0, notZero: 0 });
  expect(compared).toBeGreaterThan(2_000_000);
  expect(worst).toBeLessThan(1.009); // 1.0084 was seen, at x = −5.8897…
  expect(worst).toBeGreaterThan(0.9);
});

Deno.test("e^x at its ends", () => {
  expect([0, 2 ** -125, -(2 ** -125)].map((x) => expTame(-Math.abs(x)))).toEqual([1, 1, 1]);
  expect([-88, -87, -1e30].map(expTame)).toEqual([0, 0, 0]);
  expect(expTame(-86)).toBeGreaterThan(0);
  expect(expTame(NaN)).toBe(NaN);
});

Deno.test("silu is as near as its roundings allow, and SwiGLU a product more", () => {
  // A part in 2^23 is the least size of a unit: e^x is off by at most 1.009 · 2 u with u = 2^-24, and
  // that error counts once in gate · t and at most half in 1 + t. Roundings: the product, the sum,
  // the quotient, and the product with `up`. Squares of such errors are below a thousandth of this.
  const most = (1.5 * 2.018 + 4) * 2 ** -24 * 1.001;
  let worst = 0, worstUlp = 0;
  for (const size of sizes()) {
    for (const gate of [size, -size]) {
      const right = gate / (1 + Math.exp(-gate));
      // There t is +0, and so is all: the true value is below 2^-118.
      if (gate < 0 && Math.exp(gate) < TAME_LEAST * (1 + 2 ** -22)) continue;
      const found = swigluExact(gate, 1.5);
      worst = Math.max(worst, Math.abs(found / (1.5 * right) - 1));
      worstUlp = Math.max(worstUlp, inUlp(swigluExact(gate, 1), right));
    }
  }
  expect(worst).toBeLessThan(most);
  expect(worst).toBeGreaterThan(most / 3);
  expect(worstUlp).toBeLessThan(3.3); // 3.25 was seen
});

Deno.test("SwiGLU's policies", () => {
  expect(swigluExact(-0, 3)).toBe(0);
  expect(Object.is(swigluExact(0, -3), 0)).toBe(true);
  expect([-86.7, -87, -100].map((gate) => swigluExact(gate, 5))).toEqual([0, 0, 0]);
  expect(swigluExact(100, 5)).toBe(500);
  expect([Infinity, -Infinity, NaN].map((gate) => swigluExact(gate, 1))).toEqual([NaN, NaN, NaN]);
  expect(swigluExact(1, -Infinity)).toBe(NaN);
  expect(swigluExact(2 ** 100, 2 ** 27)).toBe(NaN);
  expect(swigluExact(2 ** 100, -(2 ** 26))).toBe(-(2 ** 126));
});
