// Q2_ROWS: Q2_0 · q8_0, one invocation four rows: for software adapters, where an element of a
// processor's vector is an invocation, and reading memory costs more than sums. Order of summation:
// as Q2_DOT.

@group(0) @binding(0) var<storage, read> Wd: array<f32>; // weight scales at block · rows + row
// Codes likewise, two components a sub-block; code 4 · g + i of a component is at bit 8 · i + 2 · g.
@group(0) @binding(1) var<storage, read> Wc: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> Ad: array<vec2<f32>>; // activation scales, two a block
@group(0) @binding(3) var<storage, read> Aq: array<vec4<u32>>; // quants, four to a word
@group(0) @binding(4) var<storage, read_write> O: array<u32>; // f32 bits at col · rows + row

struct Params {
  rows: u32,
  nb: u32, // blocks of 64 weights in a row
  cols: u32,
  zero: u32, // always 0, which only the host knows: see hide
}
@group(0) @binding(5) var<uniform> p: Params;

const FUSED = false; // no such adapter's fma rounds once

override WG: u32 = 64u; // invocations in a workgroup

// Sixteen quants, two to a component: one of them times 2^16, plus another one.
struct Pairs {
  even: vec4<i32>, // of each word its quants 0 and 2
  odd: vec4<i32>, // of each word its quants 1 and 3
}

fn pairs_of(words: vec4<u32>) -> Pairs {
  let quants = bitcast<vec4<i32>>(words);
  let upper = vec4<u32>(24u);
  let high = vec4<u32>(16u);
  return Pairs(
    ((quants << upper) >> upper << high) + ((quants << vec4<u32>(8u)) >> upper),
    ((quants << high) >> upper << high) + (quants >> upper),
  );
}

// The sum of sixteen quants, each times its code, times 2^16. Two codes in a word, one of them times
// 2^16, times a pair: both products are in the upper half, and in the lower one a third, unwanted.
fn sum_by_pairs(packed: u32, pairs: Pairs) -> i32 {
  let places = vec4<u32>(0u, 2u, 4u, 6u);
  let mask = vec4<u32>(0x00030003u);
  let codes = vec4<u32>(packed);
  let even = bitcast<vec4<i32>>((codes >> places) & mask);
  let odd = bitcast<vec4<i32>>((codes >> (places + vec4<u32>(8u))) & mask);
  let products = even * pairs.even + odd * pairs.odd;
  return (products.x + products.y) + (products.z + products.w);
}

// The activations of a block.
struct Activations {
  pairs0: Pairs,
  pairs1: Pairs,
  pairs2: Pairs,
  pairs3: Pairs,
  starts: vec2<i32>, // of the sums of its sub-blocks
  scales: vec2<f32>,
}

// A code c stands for c - 1: less each quant once. The unwanted products sum to 2^12 at most; with
// half of 2^16 more they are shifted out.
fn start_of_pairs(first: Pairs, second: Pairs) -> i32 {
  let ones = 0x55555555u;
  return 0x8000 - (sum_by_pairs(ones, first) + sum_by_pairs(ones, second));
}

fn activations_of(col: u32, block: u32) -> Activations {
  let at = col * p.nb + block;
  let pairs0 = pairs_of(Aq[4u * at]);
  let pairs1 = pairs_of(Aq[4u * at + 1u]);
  let pairs2 = pairs_of(Aq[4u * at + 2u]);
  let pairs3 = pairs_of(Aq[4u * at + 3u]);
  let starts = vec2<i32>(start_of_pairs(pairs0, pairs1), start_of_pairs(pairs2, pairs3));
  return Activations(pairs0, pairs1, pairs2, pairs3, starts, Ad[at]);
}

// A block's own sum. Both products are exact in f32, 11 significant bits times an integer of at
// most 13, or 2^13 itself: fused or not is the same.
fn block_sum_of_pairs(codes: vec4<u32>, block: Activations) -> f32 {
  let s0 = block.starts.x + sum_by_pairs(codes.x, block.pairs0) + sum_by_pairs(codes.y, block.pairs1);
  let s1 = block.starts.y + sum_by_pairs(codes.z, block.pairs2) + sum_by_pairs(codes.w, block.pairs3);
  return block.scales.y * f32(s1 >> 16u) + block.scales.x * f32(s0 >> 16u);
}

// The same value, through a bit operation that no compiler can see through: without it
// (a + b) - a is folded to b, and the rounding error below is lost.
fn hide(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) | p.zero);
}

// A block's step of the chain, as far as it does not depend on the chain: sum becomes
// round(a·b + sum).
struct Step {
  high: f32, // a·b, rounded; or a
  low: f32, // what its rounding lost; or b
}

// For finite numbers and an a of at most 12 significant bits. b is split so that both partial
// products are exact, and so is the error of a·b.
fn step_of(a: f32, b: f32) -> Step {
  if (FUSED) {
    return Step(a, b);
  }
  let product = hide(a * b);
  let b_high = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  return Step(product, (a * b_high - product) + a * (b - b_high));
}

// round(a·b + sum), rounded once: WGSL's fma may round twice. The error of the sum is exact. Where
// it and that of the product add up exactly, one addition is left that rounds; where they do not,
// their sum is rounded to odd.
fn add_step(sum: f32, step: Step) -> f32 {
  if (FUSED) {
    return fma(step.high, step.low, sum);
  }
  let next = hide(step.high + sum);
  let sum_part = hide(next - step.high);
  let error = (sum - sum_part) + (step.high - (next - sum_part));
  let rest = hide(step.low + error);
  // One of the two differences is exact: that from the larger.
  if ((rest - error != step.low) | (rest - step.low != error)) {
    return next + odd_sum(rest, step.low, error);
  }
  return next + rest;
}

// a + b, whose rounded sum is inexact, rounded to odd: away from zero where what was lost has the
// sum's sign, else toward zero. A later addition cannot round it wrongly again (Boldo and
// Melquiond, 2008).
fn odd_sum(sum: f32, a: f32, b: f32) -> f32 {
  let b_part = hide(sum - a);
  let a_part = hide(sum - b_part);
  let lost = hide(hide(a - a_part) + hide(b - b_part));
  let bits = bitcast<u32>(sum);
  let is_toward = (bitcast<u32>(lost) ^ bits) >> 31u;
  return bitcast<f32>((bits - is_toward) | 1u);
}

fn is_finite(bits: u32) -> bool {
  return (bits & 0x7f800000u) != 0x7f800000u;
}

// a·b + c where one of them is infinite or NaN, by the rules of IEEE 754 in integers: TwoSum would
// meet inf - inf, and a shader compiler may assume that there are no such values.
fn fma_special(a: u32, b: u32, c: u32) -> f32 {
  let a_size = a & 0x7fffffffu;
  let b_size = b & 0x7fffffffu;
  let c_size = c & 0x7fffffffu;
  let infinity = 0x7f800000u;
  let product_sign = (a ^ b) & 0x80000000u;
  let product_infinite = a_size == infinity || b_size == infinity;
  var bits = c;
  if (product_infinite) {
    bits = product_sign | infinity;
  }
  let no_number = a_size > infinity || b_size > infinity || c_size > infinity;
  let zero_times_infinity = product_infinite && (a_size == 0u || b_size == 0u);
  let opposite = product_infinite && c_size == infinity && (c & 0x80000000u) != product_sign;
  if (no_number || zero_times_infinity || opposite) {
    bits = 0x7fc00000u | (p.zero & 1u);
  }
  return bitcast<f32>(bits);
}

// A block's own sum, straight from the definition.
fn plain_sum_of_codes(block: u32, row: u32, col: u32) -> f32 {
  let codes = Wc[block * p.rows + row];
  let at = col * p.nb + block;
  var sum = 0.0;
  for (var k = 0u; k < 2u; k++) {
    var s = 0;
    for (var i = 0u; i < 8u; i++) {
      let part = 2u * k + i / 4u;
      let g = i % 4u;
      let four = vec4<u32>(codes[part] >> (2u * g)) >> vec4<u32>(0u, 8u, 16u, 24u);
      s += dot(vec4<i32>(four & vec4<u32>(3u)) - 1, unpack4xI8(Aq[4u * at + part][g]));
    }
    sum += Ad[at][k] * f32(s);
  }
  return sum;
}

// The bits of an output. The built FMA makes NaN of every infinity, so such an output is
// looked at again, for infinities and NaN alone: what is finite does not change them.
fn settle_chain(sum: f32, row: u32, col: u32) -> u32 {
  let bits = bitcast<u32>(sum);
  if (is_finite(bits)) {
    return bits;
  }
  // Not the uniform itself: Mesa 22.3.6 would compile the text anew at every run.
  let blocks = p.nb | (row & p.zero);
  var special = 0.0;
  for (var block = 0u; block < blocks; block++) {
    let scale = bitcast<u32>(Wd[block * p.rows + row]);
    let b = bitcast<u32>(plain_sum_of_codes(block, row, col));
    special = fma_special(scale, b, bitcast<u32>(special));
  }
  return bitcast<u32>(special);
}

// A block's share in a row's sum.
fn add_row_block(sum: f32, at: u32, block: Activations) -> f32 {
  return add_step(sum, step_of(Wd[at], block_sum_of_pairs(Wc[at], block)));
}

fn store_row_sum(sum: f32, row: u32, col: u32) {
  if (row < p.rows) {
    O[col * p.rows + row] = settle_chain(sum, row, col);
  }
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  // Neighbours have neighbouring rows; past the end they read the last one again.
  let last = p.rows - 1u;
  let row0 = group.x * 4u * WG + local;
  let row1 = row0 + WG;
  let row2 = row1 + WG;
  let row3 = row2 + WG;
  let col = group.y;
  var sums = vec4<f32>();
  // Not the uniform itself: Mesa 22.3.6 would compile the text anew at every run.
  let blocks = p.nb | (local & p.zero);
  for (var block = 0u; block < blocks; block++) {
    let activations = activations_of(col, block);
    let first = block * p.rows;
    sums = vec4<f32>(
      add_row_block(sums.x, first + min(row0, last), activations),
      add_row_block(sums.y, first + min(row1, last), activations),
      add_row_block(sums.z, first + min(row2, last), activations),
      add_row_block(sums.w, first + min(row3, last), activations),
    );
  }
  store_row_sum(sums.x, row0, col);
  store_row_sum(sums.y, row1, col);
  store_row_sum(sums.z, row2, col);
  store_row_sum(sums.w, row3, col);
}
