/**
 * Probes of integer arithmetic where languages disagree.
 *
 * @module
 */
import type { Probe } from "./probe.ts";

const MOST_NEGATIVE = 0x80000000;
const MINUS_SEVEN = 0xfffffff9;
const ALL = 0xffffffff;
// bytes 1, -2, 3, -4 and 5, 6, 7, 8: 5 - 12 + 21 - 32 = -18 signed
const BYTES = 0xfc03fe01;
const OTHERS = 0x08070605;

export const INTEGERS: readonly Probe[] = [
  {
    rule: "unsigned_division_by_zero",
    asks: "Is x / 0 = x for u32, as WGSL says?",
    body: "return x.x / x.y;",
    input: [7, 0],
    answers: { dividend: 7, zero: 0, all_ones: ALL },
  },
  {
    rule: "unsigned_remainder_by_zero",
    asks: "Is x % 0 = 0 for u32?",
    body: "return x.x % x.y;",
    input: [7, 0],
    answers: { zero: 0, dividend: 7, all_ones: ALL },
  },
  {
    rule: "signed_overflow_in_division",
    asks: "Is -2^31 / -1 = -2^31?",
    body: "return bitcast<u32>(bitcast<i32>(x.x) / bitcast<i32>(x.y));",
    input: [MOST_NEGATIVE, ALL],
    answers: { wraps: MOST_NEGATIVE, zero: 0, saturates: 0x7fffffff },
  },
  {
    rule: "signed_remainder",
    asks: "Has -7 % 3 the dividend's sign?",
    body: "return bitcast<u32>(bitcast<i32>(x.x) % bitcast<i32>(x.y));",
    input: [MINUS_SEVEN, 3],
    answers: { dividends_sign: ALL, divisors_sign: 2, unsigned: 0 },
  },
  {
    rule: "signed_division",
    asks: "Is -7 / 2 cut toward zero?",
    body: "return bitcast<u32>(bitcast<i32>(x.x) / bitcast<i32>(x.y));",
    input: [MINUS_SEVEN, 2],
    answers: { toward_zero: 0xfffffffd, down: 0xfffffffc },
  },
  {
    rule: "multiplication_overflow",
    asks: "Does a product of i32 wrap?",
    body: "return bitcast<u32>(bitcast<i32>(x.x) * bitcast<i32>(x.y));",
    input: [0x7fffffff, 3],
    answers: { wraps: 0x7ffffffd, saturates: 0x7fffffff },
  },
  {
    rule: "shift_left_by_32",
    asks: "Is 1 << 32 = 1, as WGSL takes the count modulo 32?",
    body: "return x.x << x.y;",
    input: [1, 32],
    answers: { modulo: 1, zero: 0 },
  },
  {
    rule: "shift_right_by_33",
    asks: "Is 4 >> 33 = 2?",
    body: "return x.x >> x.y;",
    input: [4, 33],
    answers: { modulo: 2, zero: 0 },
  },
  {
    rule: "signed_shift_right",
    asks: "Does i32 >> bring in the sign?",
    body: "return bitcast<u32>(bitcast<i32>(x.x) >> x.y);",
    input: [MOST_NEGATIVE, 31],
    answers: { arithmetic: ALL, logical: 1 },
  },
  {
    rule: "float_to_integer_overflow",
    asks: "Is i32(2^40) clamped?",
    // 2^31 - 128 is the largest f32 that is an i32, and where WGSL clamps to.
    body: "return bitcast<u32>(i32(a));",
    input: [0x53800000],
    answers: { largest_f32: 0x7fffff80, largest_i32: 0x7fffffff, most_negative: MOST_NEGATIVE },
  },
  {
    rule: "packed_dot_signed",
    asks: "Is dot4I8Packed right?",
    body: "return bitcast<u32>(dot4I8Packed(x.x, x.y));",
    input: [BYTES, OTHERS],
    answers: { signed: 0xffffffee, unsigned: 1 * 5 + 254 * 6 + 3 * 7 + 252 * 8 },
  },
  {
    rule: "packed_dot_unsigned",
    asks: "Is dot4U8Packed right?",
    body: "return dot4U8Packed(x.x, x.y);",
    input: [BYTES, OTHERS],
    answers: { unsigned: 1 * 5 + 254 * 6 + 3 * 7 + 252 * 8, signed: 0xffffffee },
  },
];
