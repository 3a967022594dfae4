// Q2_TILE: Q2_0 · q8_0, one invocation two rows in four columns. Order of summation: as Q2_DOT.

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

override FUSED: bool = false; // does this adapter's fma round once?

const WG = 128u; // invocations in a workgroup
const ROWS = 2u * WG;
const COLS = 4u;

// A block's codes, 0 to 3, a byte each: four to a component, which face the four quants of a word.
struct Codes {
  words: array<vec4<u32>, 4>,
}

fn spread(packed: vec4<u32>) -> Codes {
  let places = vec4<u32>(0u, 2u, 4u, 6u);
  let mask = vec4<u32>(0x03030303u);
  return Codes(array<vec4<u32>, 4>(
    (packed.xxxx >> places) & mask,
    (packed.yyyy >> places) & mask,
    (packed.zzzz >> places) & mask,
    (packed.wwww >> places) & mask,
  ));
}

// 1.5 · 2^23: a small integer that is added to its bits is added to its value.
const BIAS = 12582912.0;
const BIAS_BITS = 0x4b400000u;

fn add_dots(start: u32, codes: vec4<u32>, quants: vec4<u32>) -> u32 {
  return start + bitcast<u32>(dot4I8Packed(codes.x, quants.x)) +
    bitcast<u32>(dot4I8Packed(codes.y, quants.y)) +
    bitcast<u32>(dot4I8Packed(codes.z, quants.z)) +
    bitcast<u32>(dot4I8Packed(codes.w, quants.w));
}

// Less the sum of the quants: a code c stands for c - 1.
fn start_of(first: vec4<u32>, second: vec4<u32>) -> u32 {
  let ones = vec4<u32>(0x01010101u);
  return BIAS_BITS - add_dots(add_dots(0u, ones, first), ones, second);
}

const SEGMENT = WG / (2u * COLS); // blocks whose activations are in workgroup memory at a time

var<workgroup> quants: array<array<array<vec4<u32>, 4>, COLS>, SEGMENT>;
var<workgroup> starts: array<array<vec2<u32>, COLS>, SEGMENT>; // of the sums of its sub-blocks
var<workgroup> scales: array<array<vec2<f32>, COLS>, SEGMENT>;

// A sub-block of a column for each invocation.
fn load_columns(first: u32, count: u32, first_col: u32, local: u32) {
  let block = local / (2u * COLS);
  let col = (local / 2u) % COLS;
  let half = local % 2u;
  if (block < count) {
    // Past the last column that one again.
    let at = min(first_col + col, p.cols - 1u) * p.nb + first + block;
    let quants0 = Aq[4u * at + 2u * half];
    let quants1 = Aq[4u * at + 2u * half + 1u];
    quants[block][col][2u * half] = quants0;
    quants[block][col][2u * half + 1u] = quants1;
    starts[block][col][half] = start_of(quants0, quants1);
    scales[block][col][half] = Ad[at][half];
  }
}

// A block's own sum in a column of the tile; `block` is its place in the segment. Both products are
// exact in f32, 11 significant bits times an integer of at most 13, or 2^13 itself: fused or not is
// the same.
fn tile_sum(codes: Codes, block: u32, col: u32) -> f32 {
  let start = starts[block][col];
  let d = scales[block][col];
  let first = add_dots(start.x, codes.words[0], quants[block][col][0]);
  let second = add_dots(start.y, codes.words[2], quants[block][col][2]);
  let s0 = add_dots(first, codes.words[1], quants[block][col][1]);
  let s1 = add_dots(second, codes.words[3], quants[block][col][3]);
  return d.y * (bitcast<f32>(s1) - BIAS) + d.x * (bitcast<f32>(s0) - BIAS);
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

var<workgroup> row_blocks: u32;

// p.nb by way of workgroup memory: where a uniform bounds a loop, Mesa 22.3.6 compiles the text
// anew at every run.
fn blocks_of_a_row(local: u32) -> u32 {
  if (local == 0u) {
    row_blocks = p.nb;
  }
  return workgroupUniformLoad(&row_blocks);
}

// A row's sums, a component a column.
fn add_columns(sums: vec4<f32>, codes: Codes, scale: f32, block: u32) -> vec4<f32> {
  return vec4<f32>(
    add_step(sums.x, step_of(scale, tile_sum(codes, block, 0u))),
    add_step(sums.y, step_of(scale, tile_sum(codes, block, 1u))),
    add_step(sums.z, step_of(scale, tile_sum(codes, block, 2u))),
    add_step(sums.w, step_of(scale, tile_sum(codes, block, 3u))),
  );
}

fn store_row_sums(sums: vec4<f32>, row: u32, first_col: u32) {
  if (row < p.rows) {
    for (var col = 0u; col < min(COLS, p.cols - first_col); col++) {
      O[(first_col + col) * p.rows + row] = settle_chain(sums[col], row, first_col + col);
    }
  }
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  // No early return: every invocation must reach the barriers. Past the end they read the last row.
  let row0 = group.x * ROWS + local;
  let row1 = row0 + WG;
  let read0 = min(row0, p.rows - 1u);
  let read1 = min(row1, p.rows - 1u);
  let first_col = group.y * COLS;
  let blocks = blocks_of_a_row(local);
  var sums0 = vec4<f32>();
  var sums1 = vec4<f32>();
  var codes0 = Wc[read0];
  var codes1 = Wc[read1];
  var scale0 = Wd[read0];
  var scale1 = Wd[read1];
  for (var first = 0u; first < blocks; first += SEGMENT) {
    let count = min(SEGMENT, blocks - first);
    load_columns(first, count, first_col, local);
    workgroupBarrier();
    for (var block = 0u; block < count; block++) {
      let next_at = min(first + block + 1u, blocks - 1u) * p.rows;
      let next_codes0 = Wc[next_at + read0];
      let next_codes1 = Wc[next_at + read1];
      let next_scale0 = Wd[next_at + read0];
      let next_scale1 = Wd[next_at + read1];
      sums0 = add_columns(sums0, spread(codes0), scale0, block);
      sums1 = add_columns(sums1, spread(codes1), scale1, block);
      codes0 = next_codes0;
      codes1 = next_codes1;
      scale0 = next_scale0;
      scale1 = next_scale1;
    }
    workgroupBarrier();
  }
  store_row_sums(sums0, row0, first_col);
  store_row_sums(sums1, row1, first_col);
}
