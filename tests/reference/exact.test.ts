/** The judge on answers worked out by hand: all else is held against it. */

import { expect } from "expect";
import {
  exactDivF32,
  exactF16OfF32,
  exactF32OfF16,
  exactFmaF32,
  exactIntegerOfF32,
} from "../../reference/mod.ts";

Deno.test("exactFmaF32 rounds once, to even, with the signs of IEEE 754", () => {
  // (1 + 2^-23)² − 1 = 2^-22 · (1 + 2^-24), a tie; (1 + 2^-22)² − 1 = 2^-21 · (1 + 2^-23), exact
  expect(exactFmaF32(0x3f800001, 0x3f800001, 0xbf800000)).toBe(0x34800000);
  expect(exactFmaF32(0x3f800002, 0x3f800002, 0xbf800000)).toBe(0x35000001);
  expect(exactFmaF32(0x3f800000, 0x33800000, 0x3f800000)).toBe(0x3f800000); // tie, even below
  expect(exactFmaF32(0x3f800000, 0x33800000, 0x3f800001)).toBe(0x3f800002); // tie, even above
  expect(exactFmaF32(0x3f800000, 0x33800001, 0x3f800000)).toBe(0x3f800001); // beyond the tie
  expect(exactFmaF32(0x1a000000, 0x1a000000, 0)).toBe(0); // half the smallest subnormal
  expect(exactFmaF32(0x1a000000, 0x1a000001, 0)).toBe(1);
  expect(exactFmaF32(0x00800000, 0x3f000000, 0)).toBe(0x00400000); // subnormal, exact
  expect(exactFmaF32(0x7f7fffff, 0x3f800000, 0x73000000)).toBe(0x7f800000); // tie to overflow
  expect(exactFmaF32(0x7f7fffff, 0x3f800000, 0x72ffffff)).toBe(0x7f7fffff);
  expect(exactFmaF32(0x3f800000, 0x3f800000, 0xbf800000)).toBe(0); // cancels to +0
  expect(exactFmaF32(0x80000000, 0x3f800000, 0x80000000)).toBe(0x80000000);
  expect(exactFmaF32(0x80000000, 0x3f800000, 0)).toBe(0);
  expect(exactFmaF32(0x80000001, 0x00000001, 0)).toBe(0x80000000); // underflows with its sign
  expect(exactFmaF32(0x7f800000, 0, 0)).toBe(0x7fc00000);
  expect(exactFmaF32(0x7f800000, 0x3f800000, 0xff800000)).toBe(0x7fc00000);
  expect(exactFmaF32(0x3f800000, 0x3f800000, 0xff800000)).toBe(0xff800000);
  expect(exactFmaF32(0, 0, 0x7f812345)).toBe(0x7fc00000);
});

Deno.test("exactDivF32", () => {
  expect(exactDivF32(0x3f800000, 0x40400000)).toBe(0x3eaaaaab); // 1 / 3
  expect(exactDivF32(0x00000001, 0x40000000)).toBe(0); // tie to even, below
  expect(exactDivF32(0x00000003, 0x40000000)).toBe(2);
  expect(exactDivF32(0x42fe0000, 0x00000001)).toBe(0x7f800000); // 127 / smallest subnormal
  // 1 / (2^24 − 1): a tie as far as 40 bits of quotient go, decided by the remainder
  expect(exactDivF32(0x00000001, 0x00ffffff)).toBe(0x33800001);
  expect(exactDivF32(0xbf800000, 0)).toBe(0xff800000);
  expect(exactDivF32(0, 0)).toBe(0x7fc00000);
  expect(exactDivF32(0x3f800000, 0xff800000)).toBe(0x80000000);
});

Deno.test("exact conversions", () => {
  expect(exactF32OfF16(0x0001)).toBe(0x33800000); // 2^-24
  expect(exactF32OfF16(0xfbff)).toBe(0xc77fe000); // −65,504
  expect(exactF32OfF16(0x7c01)).toBe(0x7fc00000);
  expect(exactF16OfF32(0x3f801000)).toBe(0x3c00); // tie to even, below
  expect(exactF16OfF32(0x3f803000)).toBe(0x3c02); // tie to even, above
  expect(exactF16OfF32(0x477ff000)).toBe(0x7c00); // 65,520
  expect(exactF16OfF32(0x33000000)).toBe(0); // 2^-25
  expect(exactF16OfF32(0x80000001)).toBe(0x8000);
});

Deno.test("exactIntegerOfF32 takes ties to even and refuses what is not finite", () => {
  const nearest = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 0.49999997, 8388609, -0]
    .map((x) => Number(exactIntegerOfF32(new Uint32Array(Float32Array.of(x).buffer)[0])));
  expect(nearest).toEqual([0, 2, 2, 0, -2, -2, 126, 0, 8388609, 0]);
  expect(() => exactIntegerOfF32(0x7f800000)).toThrow(
    "Cannot round 0x7f800000 to an integer: it is not finite. Test for that first.",
  );
});
