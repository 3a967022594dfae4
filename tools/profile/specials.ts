/**
 * Probes of subnormals, signed zeros, infinities and NaN.
 *
 * @module
 */
import { bitsOf, type Probe } from "./probe.ts";

const SUBNORMAL = 0x00000003; // 3 · 2^-149
const SMALLEST_NORMAL = 0x00800000;
const INFINITY = 0x7f800000;
const QUIET = 0x7fc00000;
const MINUS_ZERO = 0x80000000;
const PAYLOAD = 0x7fc12345;
const LARGEST = 0x7f7fffff;
const ONE = bitsOf(1);
const TWO = bitsOf(2);

const float = (expression: string) => `return bitcast<u32>(${expression});`;
/** One word for any NaN: which one an operation makes is nobody's rule. */
const anyNaN = (expression: string) =>
  `let w = bitcast<u32>(${expression}); ` +
  `return select(w, ${QUIET}u, (w & 0x7fffffffu) > ${INFINITY}u);`;
const truth = (condition: string) => `return select(0u, 1u, ${condition});`;

export const SPECIALS: readonly Probe[] = [
  {
    rule: "subnormal_in",
    asks: "Is a subnormal factor taken for what it is?",
    body: float("a * b"),
    input: [SUBNORMAL, bitsOf(2 ** 100)],
    answers: { kept: bitsOf(3 * 2 ** -49), flushed: 0 },
  },
  {
    rule: "subnormal_out",
    asks: "Is a subnormal product kept?",
    body: float("a * b"),
    input: [SMALLEST_NORMAL, bitsOf(0.5)],
    answers: { kept: 0x00400000, flushed: 0 },
  },
  {
    rule: "subnormal_sum",
    asks: "Are two subnormals added?",
    body: float("a + b"),
    input: [SUBNORMAL, SUBNORMAL],
    answers: { kept: 2 * SUBNORMAL, flushed: 0 },
  },
  {
    rule: "subnormal_compared",
    asks: "Is a subnormal greater than zero?",
    body: truth("a > b"),
    input: [SUBNORMAL, 0],
    answers: { greater: 1, equal: 0 },
  },
  {
    rule: "subnormal_moved",
    asks: "Does a subnormal survive select and bitcast?",
    body: float("select(b, a, zero == 0u)"),
    input: [SUBNORMAL, ONE],
    answers: { kept: SUBNORMAL, flushed: 0 },
  },
  {
    rule: "subnormal_f16_unpacked",
    asks: "Does unpack2x16float widen a subnormal f16?",
    body: float("unpack2x16float(x.x).x"),
    input: [0x0001],
    answers: { kept: bitsOf(2 ** -24), flushed: 0 },
  },
  {
    rule: "subnormal_f16_packed",
    asks: "Does pack2x16float make a subnormal f16?",
    body: "return pack2x16float(vec2<f32>(a, b)) & 0xffffu;",
    input: [bitsOf(3 * 2 ** -24), ONE],
    answers: { kept: 3, flushed: 0 },
  },
  {
    rule: "f16_rounding",
    asks: "Does pack2x16float round a tie to even?",
    body: "return pack2x16float(vec2<f32>(a, b)) & 0xffffu;",
    input: [bitsOf(1 + 3 * 2 ** -11), ONE],
    answers: { nearest_even: 0x3c02, toward_zero: 0x3c01 },
  },
  {
    rule: "f16_rounding_down",
    asks: "Does it round a tie below an odd neighbour down?",
    body: "return pack2x16float(vec2<f32>(a, b)) & 0xffffu;",
    input: [bitsOf(1 + 2 ** -11), ONE],
    answers: { nearest_even: 0x3c00, away_from_zero: 0x3c01 },
  },
  {
    rule: "minus_zero_plus_zero",
    asks: "Is x + 0 computed for x = -0?",
    body: float("a + 0.0"),
    input: [MINUS_ZERO],
    answers: { plus_zero: 0, folded: MINUS_ZERO },
  },
  {
    rule: "minus_zero_kept",
    asks: "Is -0 + -0 minus zero?",
    body: float("a + b"),
    input: [MINUS_ZERO, MINUS_ZERO],
    answers: { kept: MINUS_ZERO, lost: 0 },
  },
  {
    rule: "minus_zero_product",
    asks: "Is 0 * -1 minus zero?",
    body: float("a * b"),
    input: [0, bitsOf(-1)],
    answers: { kept: MINUS_ZERO, lost: 0 },
  },
  {
    rule: "zero_minus_x",
    asks: "Is 0 - x computed for x = 0?",
    body: float("0.0 - a"),
    input: [0],
    answers: { plus_zero: 0, negated: MINUS_ZERO },
  },
  {
    rule: "min_of_zeros",
    asks: "Which is min(-0, +0)?",
    body: float("min(a, b)"),
    input: [0, MINUS_ZERO],
    answers: { minus_zero: MINUS_ZERO, first: 0 },
  },
  {
    rule: "infinity_minus_infinity",
    asks: "Is inf - inf of two values a NaN?",
    body: anyNaN("a - b"),
    input: [INFINITY, INFINITY],
    answers: { nan: QUIET, zero: 0, infinity: INFINITY },
  },
  {
    rule: "infinity_minus_itself",
    asks: "Is x - x a NaN for x = inf?",
    body: anyNaN("a - a"),
    input: [INFINITY],
    answers: { nan: QUIET, folded: 0 },
  },
  {
    rule: "zero_times_infinity",
    asks: "Is 0 * inf a NaN?",
    body: anyNaN("a * b"),
    input: [0, INFINITY],
    answers: { nan: QUIET, zero: 0 },
  },
  {
    rule: "zero_times_x",
    asks: "Is 0 * x computed for x = inf?",
    body: anyNaN("a * 0.0"),
    input: [INFINITY],
    answers: { nan: QUIET, folded: 0 },
  },
  {
    rule: "overflow",
    asks: "Does the largest number doubled overflow to infinity?",
    body: float("a * b"),
    input: [LARGEST, TWO],
    answers: { infinity: INFINITY, largest: LARGEST },
  },
  {
    rule: "division_by_zero",
    asks: "Is 1 / 0 infinite?",
    body: float("a / b"),
    input: [ONE, 0],
    answers: { infinity: INFINITY, largest: LARGEST, zero: 0 },
  },
  {
    rule: "nan_through_add",
    asks: "Is NaN + 1 a NaN?",
    body: anyNaN("a + b"),
    input: [QUIET, ONE],
    answers: { nan: QUIET, other_term: ONE },
  },
  {
    rule: "nan_payload",
    asks: "Does NaN * 1 keep its payload?",
    body: float("a * b"),
    input: [PAYLOAD, ONE],
    answers: { kept: PAYLOAD, canonical: QUIET, all_ones: 0x7fffffff },
  },
  {
    rule: "nan_differs_from_itself",
    asks: "Is NaN != NaN true?",
    body: truth("a != a"),
    input: [QUIET],
    answers: { true: 1, false: 0 },
  },
  {
    rule: "nan_equals_itself",
    asks: "Is NaN == NaN false?",
    body: truth("a == a"),
    input: [QUIET],
    answers: { false: 0, true: 1 },
  },
  {
    rule: "nan_less",
    asks: "Is NaN < 1 false?",
    body: truth("a < b"),
    input: [QUIET, ONE],
    answers: { false: 0, true: 1 },
  },
  {
    rule: "nan_not_less",
    asks: "Is !(NaN >= 1) true?",
    body: truth("!(a >= b)"),
    input: [QUIET, ONE],
    answers: { true: 1, false: 0 },
  },
  {
    rule: "nan_through_min",
    asks: "What is min(NaN, 1)?",
    body: anyNaN("min(a, b)"),
    input: [QUIET, ONE],
    answers: { number: ONE, nan: QUIET },
  },
  {
    rule: "nan_through_max",
    asks: "What is max(1, NaN)?",
    body: anyNaN("max(b, a)"),
    input: [QUIET, ONE],
    answers: { number: ONE, nan: QUIET },
  },
  {
    rule: "nan_through_select",
    asks: "Does select pass a NaN?",
    body: anyNaN("select(b, a, zero == 0u)"),
    input: [QUIET, ONE],
    answers: { nan: QUIET, number: ONE },
  },
];
