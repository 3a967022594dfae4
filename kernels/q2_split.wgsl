// Q2_SPLIT: Q2_0 · q8_0, four invocations a row: each prepares the step of every fourth block, and
// one of them takes the steps, in their order. Order of summation: as Q2_DOT.

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
const ROWS = WG / 4u;

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

const SEGMENT = 32u; // blocks whose activations are in workgroup memory at a time

var<workgroup> quants: array<array<vec4<u32>, 4>, SEGMENT>;
var<workgroup> starts: array<vec2<u32>, SEGMENT>; // of the sums of its sub-blocks
var<workgroup> scales: array<vec2<f32>, SEGMENT>;

// A sub-block for each invocation that has one.
fn load_blocks(first: u32, count: u32, col: u32, local: u32) {
  let block = local / 2u;
  let half = local % 2u;
  if (block < count) {
    let at = col * p.nb + first + block;
    let quants0 = Aq[4u * at + 2u * half];
    let quants1 = Aq[4u * at + 2u * half + 1u];
    quants[block][2u * half] = quants0;
    quants[block][2u * half + 1u] = quants1;
    starts[block][half] = start_of(quants0, quants1);
    scales[block][half] = Ad[at][half];
  }
}

// A block's own sum; `block` is its place in the segment. Both products are exact in f32, 11
// significant bits times an integer of at most 13, or 2^13 itself: fused or not is the same.
fn block_sum_of(packed: vec4<u32>, block: u32) -> f32 {
  let codes = spread(packed);
  let start = starts[block];
  let d = scales[block];
  let first = add_dots(start.x, codes.words[0], quants[block][0]);
  let second = add_dots(start.y, codes.words[2], quants[block][2]);
  let s0 = add_dots(first, codes.words[1], quants[block][1]);
  let s1 = add_dots(second, codes.words[3], quants[block][3]);
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

const STEPS = SEGMENT * ROWS;

// Of a segment: at block · ROWS + row, both counted from the workgroup's.
var<workgroup> steps: array<Step, STEPS>;

// A block's weights.
struct Weights {
  codes: vec4<u32>,
  scale: f32,
}

// Past the end of a row those of its last block.
fn weights_at(block: u32, blocks: u32, row: u32) -> Weights {
  let at = min(block, blocks - 1u) * p.rows + row;
  return Weights(Wc[at], Wd[at]);
}

// What an invocation prepares of a segment.
struct Share {
  weights0: Weights,
  weights1: Weights,
  weights2: Weights,
  weights3: Weights,
  weights4: Weights,
  weights5: Weights,
  weights6: Weights,
  weights7: Weights,
}

fn fetch_share(first: u32, blocks: u32, row: u32) -> Share {
  return Share(
    weights_at(first, blocks, row),
    weights_at(first + 4u, blocks, row),
    weights_at(first + 8u, blocks, row),
    weights_at(first + 12u, blocks, row),
    weights_at(first + 16u, blocks, row),
    weights_at(first + 20u, blocks, row),
    weights_at(first + 24u, blocks, row),
    weights_at(first + 28u, blocks, row),
  );
}

fn prepare(weights: Weights, block: u32, row: u32) {
  steps[block * ROWS + row] = step_of(weights.scale, block_sum_of(weights.codes, block));
}

fn prepare_share(share: Share, own: u32, row: u32) {
  prepare(share.weights0, own, row);
  prepare(share.weights1, own + 4u, row);
  prepare(share.weights2, own + 8u, row);
  prepare(share.weights3, own + 12u, row);
  prepare(share.weights4, own + 16u, row);
  prepare(share.weights5, own + 20u, row);
  prepare(share.weights6, own + 24u, row);
  prepare(share.weights7, own + 28u, row);
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  // No early return: every invocation must reach the barriers. Past the end they read the last row.
  let group_row = local % ROWS;
  let row = min(group.x * ROWS + group_row, p.rows - 1u);
  let col = group.y;
  let own = local / ROWS; // the first of a segment's blocks that this invocation prepares
  let blocks = blocks_of_a_row(local);
  var sum = 0.0;
  // Weights are on their way from memory while those before are used.
  var ahead = fetch_share(own, blocks, row);
  for (var first = 0u; first < blocks; first += SEGMENT) {
    let count = min(SEGMENT, blocks - first);
    load_blocks(first, count, col, local);
    workgroupBarrier();
    let share = ahead;
    ahead = fetch_share(first + SEGMENT + own, blocks, row);
    prepare_share(share, own, group_row);
    workgroupBarrier();
    if (own == 0u) {
      for (var block = 0u; block < count; block++) {
        sum = add_step(sum, steps[block * ROWS + group_row]);
      }
    }
  }
  if (own == 0u && group.x * ROWS + group_row < p.rows) {
    O[col * p.rows + row] = settle_chain(sum, row, col);
  }
}
