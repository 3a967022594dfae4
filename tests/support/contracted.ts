/**
 * What a compiler does that contracts a product with the sum it goes into, and what a GPU does that
 * divides by a reciprocal: as text, so that faults of some adapters can be planted on every one.
 *
 * @module
 */
import type { Fault } from "./faults.ts";

/** a · b + c with the product not rounded: Dekker's product and Knuth's sum keep what is lost. */
const CONTRACTED = `
fn split_product(a: f32, b: f32) -> f32 {
  let a_high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
  let b_high = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  let a_low = hide(a - a_high);
  let b_low = hide(b - b_high);
  let product = hide(a * b);
  let first = hide(hide(a_high * b_high) - product);
  return hide(hide(hide(first + hide(a_high * b_low)) + hide(a_low * b_high)) + hide(a_low * b_low));
}
fn contracted(a_bits: u32, b_bits: u32, c_bits: u32) -> u32 {
  let a = bitcast<f32>(a_bits);
  let b = bitcast<f32>(b_bits);
  let c = bitcast<f32>(c_bits);
  let product = hide(a * b);
  let sum = hide(product + c);
  let c_part = hide(sum - product);
  let lost = hide(hide(product - hide(sum - c_part)) + hide(c - c_part));
  return bitcast<u32>(hide(sum + hide(lost + split_product(a, b))));
}
`;

/** One over the divisor, then a product: two roundings, as WGSL's own division may have. */
const BY_RECIPROCAL = `
fn by_reciprocal(a: u32, b: u32) -> u32 {
  return bitcast<u32>(hide(bitcast<f32>(a) * hide(1.0 / bitcast<f32>(b))));
}
`;

/** Stands in every text of tame numbers, at the top level. */
const TOP = "// What of f32 every adapter treats alike";

/** The replacement that puts both functions into a text. */
export const PLANTED_FUNCTIONS: Fault["replace"][number] = [
  TOP,
  `${CONTRACTED}${BY_RECIPROCAL}\n${TOP}`,
];
