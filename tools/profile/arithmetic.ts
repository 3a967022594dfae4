/**
 * Probes of fused operations, contraction, and sums that a compiler may rewrite.
 *
 * @module
 */
import { bitsOf, type Probe } from "./probe.ts";

// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last term is lost when the product is rounded by itself.
const A = 1 + 2 ** -12;
const C = -(1 + 2 ** -11);
const PRODUCT = [bitsOf(A), bitsOf(A), bitsOf(C), 0];
const FUSED = bitsOf(2 ** -24);
const TWICE = bitsOf(0);
// In f32 2^24 + 1.5 becomes 2^24 + 2, as the last place is 2 there: what it lost is -0.5.
const BIG = 2 ** 24;
const SMALL = 1.5;
const PAIR = [bitsOf(BIG), bitsOf(SMALL), 0, 0];
// 1,025 · 16,760,848 = 2^34 + 16: half a unit in the last place of an addend near 2^58, and a rest
// that f64 loses, so that it sees a tie. See cases/q1_0_matmul/trap.ts, whose numbers these are.
const TRAP = { m: 1025, a: 16_760_848 };

const contracted = (rule: string, asks: string, body: string): Probe => ({
  rule,
  asks,
  body,
  input: PRODUCT,
  answers: { separate: TWICE, contracted: FUSED },
});

/** (a + b) - a through one way of hiding the sum from the compiler. */
const hiding = (way: string, asks: string, body: string): Probe => ({
  rule: `hidden_by_${way}`,
  asks: `Is (a + b) - a kept where the sum passes through ${asks}?`,
  body,
  input: PAIR,
  answers: { kept: bitsOf(2), folded: bitsOf(SMALL) },
});

export const ARITHMETIC: readonly Probe[] = [
  {
    rule: "fma",
    asks: "Does fma(a, b, c) round once?",
    body: "return bitcast<u32>(fma(a, b, c));",
    input: PRODUCT,
    answers: { fused: FUSED, rounds_twice: TWICE },
  },
  trapProbe(),
  contracted("contraction", "Is a * b + c contracted?", "return bitcast<u32>(a * b + c);"),
  contracted(
    "contraction_across_statements",
    "Is it contracted where the product has a name?",
    "let product = a * b; let sum = product + c; return bitcast<u32>(sum);",
  ),
  contracted(
    "contraction_through_function",
    "Is it contracted where a function makes the product?",
    "return bitcast<u32>(multiply(a, b) + c);",
  ),
  contracted(
    "contraction_of_hidden_product",
    "Is it contracted where the product is hidden?",
    "return bitcast<u32>(hide(a * b) + c);",
  ),
  {
    rule: "sum_less_term",
    asks: "Is (a + b) - a computed?",
    body: "return bitcast<u32>((a + b) - a);",
    input: PAIR,
    answers: { kept: bitsOf(2), folded: bitsOf(SMALL) },
  },
  {
    rule: "fast_two_sum",
    asks: "Does b - ((a + b) - a) give the rounding error?",
    body: "let s = a + b; return bitcast<u32>(b - (s - a));",
    input: PAIR,
    answers: { kept: bitsOf(-0.5), folded: bitsOf(0) },
  },
  {
    rule: "two_sum",
    asks: "Does Knuth's TwoSum give the rounding error?",
    body: "let s = a + b; let t = s - a; return bitcast<u32>((a - (s - t)) + (b - t));",
    input: PAIR,
    answers: { kept: bitsOf(-0.5), folded: bitsOf(0) },
  },
  hiding("or_zero", "a bitwise OR with a uniform zero", "return bitcast<u32>(hide(a + b) - a);"),
  hiding(
    "xor_zero",
    "a bitwise XOR with a uniform zero",
    "return bitcast<u32>(bitcast<f32>(bitcast<u32>(a + b) ^ zero) - a);",
  ),
  hiding(
    "bitcast",
    "a bitcast to u32 and back",
    "let w = bitcast<u32>(a + b); return bitcast<u32>(bitcast<f32>(w) - a);",
  ),
  hiding(
    "private_variable",
    "a private variable",
    "kept = a + b; return bitcast<u32>(kept - a);",
  ),
  hiding(
    "storage",
    "a storage buffer",
    "Scratch[0] = bitcast<u32>(a + b); return bitcast<u32>(bitcast<f32>(Scratch[0]) - a);",
  ),
  {
    rule: "order_of_sums",
    asks: "Is ((a + b) + c) + d added in the order written?",
    body: "return bitcast<u32>(((a + b) + c) + d);",
    // From the left 2^24 + 1 and again + 1 stay 2^24; from the right 1 + 1 counts.
    input: [bitsOf(BIG), bitsOf(1), bitsOf(1), bitsOf(-BIG)],
    answers: { as_written: bitsOf(0), reassociated: bitsOf(2) },
  },
  {
    rule: "common_factor",
    asks: "Is a * b + a * c computed with two rounded products?",
    body: "return bitcast<u32>(a * b + a * c);",
    input: [bitsOf(A), bitsOf(A), bitsOf(-1), 0],
    answers: { two_products: bitsOf(2 ** -12), factored_or_fused: bitsOf(2 ** -12 + 2 ** -24) },
  },
];

/** A fused operation through f64 rounds this tie the wrong way; so do two roundings. */
function trapProbe(): Probe {
  const addend = (2 ** 23 + 2 ** 22) * 2 ** 35; // even in its last place: a tie stays with it
  return {
    rule: "fma_of_near_tie",
    asks: "Does fma see a rest that f64 loses?",
    body: "return bitcast<u32>(fma(a, b, c));",
    input: [bitsOf(TRAP.m), bitsOf(TRAP.a), bitsOf(addend), 0],
    answers: { fused: bitsOf(addend + 2 ** 35), lost: bitsOf(addend) },
  };
}
