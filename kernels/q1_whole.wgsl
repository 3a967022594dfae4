// Q1_WHOLE: Q1_0 · q8_0, one invocation a row: for more outputs than Q1_SPLIT. Order of summation:
// blocks ascending; in a block, sub-blocks k ascending; lanes joined as
// ((0+4)+(2+6))+((1+5)+(3+7)).

@group(0) @binding(0) var<storage, read> Wd: array<f32>; // weight scales at block · rows + row
// Sign bits likewise, a component a sub-block; weight 4 · lane + i of it is bit 8 · i + lane.
@group(0) @binding(1) var<storage, read> Wb: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> Ad: array<vec4<f32>>; // activation scales, four a block
@group(0) @binding(3) var<storage, read> Aq: array<u32>; // quants, four to a word
@group(0) @binding(4) var<storage, read_write> O: array<u32>; // f32 bits at col · rows + row

struct Params {
  rows: u32,
  nb: u32, // blocks of 128 weights in a row
  cols: u32,
  zero: u32, // always 0, which only the host knows: see hide_pair
}
@group(0) @binding(5) var<uniform> p: Params;

override FUSED: bool = false; // does this adapter's fma round once?

const WG = 128u; // invocations in a workgroup, and its rows

// The negations of four signed bytes, each of which wraps in eight bits: -(-128) is -128.
fn negated_bytes(bytes: vec4<u32>) -> vec4<u32> {
  let top = vec4<u32>(0x80808080u);
  // No carry leaves a byte whose top bit is left out; that is put right afterwards.
  return (top - (bytes & ~top)) ^ (~bytes & top);
}

// A lane's quants in a block, made ready for sums with signs; a component a sub-block.
struct Lane {
  doubled: vec4<u32>,
  negated: vec4<u32>,
}

// 1.5 · 2^23: a small integer that is added to its bits is added to its value.
const BIAS = 12582912.0;
const BIAS_BITS = 0x4b400000u;

// A sum with signs is that of all negations, and twice each quant whose sign bit is 1: but not of
// -128, which is its own negation.
fn lane_of(quants: vec4<u32>) -> Lane {
  let top = vec4<u32>(0x80808080u);
  let is_other = (((quants & ~top) + ~top) | ~quants) & top;
  let negated = negated_bytes(quants);
  return Lane(
    quants & ((is_other >> vec4<u32>(7u)) * 255u),
    BIAS_BITS + vec4<u32>(
      byte_sum(negated.x),
      byte_sum(negated.y),
      byte_sum(negated.z),
      byte_sum(negated.w),
    ),
  );
}

fn byte_sum(bytes: u32) -> u32 {
  return bitcast<u32>(dot4I8Packed(bytes, 0x01010101u));
}

// What a block adds to a lane's chain before it is scaled. Each product is exact in f32, 11
// significant bits times an integer of at most 10, so that fused or not is the same. The lane's
// four sign bits are bit 1 of each byte of `signs`, where they double.
fn lane_sum(signs: vec4<u32>, lane: Lane, d: vec4<f32>) -> f32 {
  let twos = signs & vec4<u32>(0x02020202u);
  let sums = lane.negated + vec4<u32>(
    bitcast<u32>(dot4I8Packed(lane.doubled.x, twos.x)),
    bitcast<u32>(dot4I8Packed(lane.doubled.y, twos.y)),
    bitcast<u32>(dot4I8Packed(lane.doubled.z, twos.z)),
    bitcast<u32>(dot4I8Packed(lane.doubled.w, twos.w)),
  );
  let s = bitcast<vec4<f32>>(sums) - BIAS;
  return d.w * s.w + (d.z * s.z + (d.y * s.y + d.x * s.x));
}

// A lane's quants, a component a sub-block.
fn quants_at(col: u32, block: u32, lane: u32) -> vec4<u32> {
  let at = 32u * (col * p.nb + block) + lane;
  return vec4<u32>(Aq[at], Aq[at + 8u], Aq[at + 16u], Aq[at + 24u]);
}

const SEGMENT = WG / 8u; // blocks whose activations are in workgroup memory at a time

var<workgroup> lanes: array<array<Lane, 8>, SEGMENT>;
var<workgroup> scales: array<vec4<f32>, SEGMENT>;

// A lane of a block for each invocation.
fn load_segment(first: u32, count: u32, col: u32, local: u32) {
  let block = local / 8u;
  let lane = local % 8u;
  if (block < count) {
    lanes[block][lane] = lane_of(quants_at(col, first + block, lane));
    if (lane == 0u) {
      scales[block] = Ad[col * p.nb + first + block];
    }
  }
}

// The same values, through a bit operation that no compiler can see through: without it
// (a + b) - a is folded to b, and the rounding error below is lost.
fn hide_pair(x: vec2<f32>) -> vec2<f32> {
  return bitcast<vec2<f32>>(bitcast<vec2<u32>>(x) | vec2<u32>(p.zero));
}

// round(a·b + c), rounded once, for finite numbers and an a of at most 12 significant bits: WGSL's
// fma may round twice. b is split so that both partial products are exact, and so are the errors of
// the product and of the sum. Where their sum is exact too, one addition is left that rounds; where
// it is not, it is rounded to odd.
fn fma_pair(a: f32, b: vec2<f32>, c: vec2<f32>) -> vec2<f32> {
  if (FUSED) {
    return fma(vec2<f32>(a), b, c);
  }
  let product = hide_pair(a * b);
  let b_high = bitcast<vec2<f32>>(bitcast<vec2<u32>>(b) & vec2<u32>(0xfffff000u));
  let product_error = (a * b_high - product) + a * (b - b_high);
  let sum = hide_pair(product + c);
  let c_part = hide_pair(sum - product);
  let sum_error = (c - c_part) + (product - (sum - c_part));
  let rest = hide_pair(product_error + sum_error);
  // One of the two differences is exact: that from the larger.
  let is_inexact = (rest - sum_error != product_error) | (rest - product_error != sum_error);
  if (any(is_inexact)) {
    let odd = rounded_to_odd(rest, product_error, sum_error);
    return sum + select(rest, odd, is_inexact);
  }
  return sum + rest;
}

// a + b, whose rounded sum is inexact, rounded to odd: away from zero where what was lost has the
// sum's sign, else toward zero. A later addition cannot round it wrongly again (Boldo and
// Melquiond, 2008).
fn rounded_to_odd(sum: vec2<f32>, a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
  let b_part = hide_pair(sum - a);
  let a_part = hide_pair(sum - b_part);
  let lost = hide_pair(hide_pair(a - a_part) + hide_pair(b - b_part));
  let bits = bitcast<vec2<u32>>(sum);
  let is_toward = (bitcast<vec2<u32>>(lost) ^ bits) >> vec2<u32>(31u);
  return bitcast<vec2<f32>>((bits - is_toward) | vec2<u32>(1u));
}

// The chains of all lanes of a row.
struct Chains {
  lanes01: vec2<f32>,
  lanes23: vec2<f32>,
  lanes45: vec2<f32>,
  lanes67: vec2<f32>,
}

fn joined(chains: Chains) -> f32 {
  let even = (chains.lanes01.x + chains.lanes45.x) + (chains.lanes23.x + chains.lanes67.x);
  let odd = (chains.lanes01.y + chains.lanes45.y) + (chains.lanes23.y + chains.lanes67.y);
  return even + odd;
}

// A block's share in them; `block` is its place in the segment.
fn add_whole_block(chains: Chains, signs: vec4<u32>, scale: f32, block: u32) -> Chains {
  let d = scales[block];
  let sum0 = lane_sum(signs << vec4<u32>(1u), lanes[block][0], d);
  let sum1 = lane_sum(signs, lanes[block][1], d);
  let sum2 = lane_sum(signs >> vec4<u32>(1u), lanes[block][2], d);
  let sum3 = lane_sum(signs >> vec4<u32>(2u), lanes[block][3], d);
  let sum4 = lane_sum(signs >> vec4<u32>(3u), lanes[block][4], d);
  let sum5 = lane_sum(signs >> vec4<u32>(4u), lanes[block][5], d);
  let sum6 = lane_sum(signs >> vec4<u32>(5u), lanes[block][6], d);
  let sum7 = lane_sum(signs >> vec4<u32>(6u), lanes[block][7], d);
  return Chains(
    fma_pair(scale, vec2<f32>(sum0, sum1), chains.lanes01),
    fma_pair(scale, vec2<f32>(sum2, sum3), chains.lanes23),
    fma_pair(scale, vec2<f32>(sum4, sum5), chains.lanes45),
    fma_pair(scale, vec2<f32>(sum6, sum7), chains.lanes67),
  );
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

// What a block adds to a lane's chain before it is scaled, straight from the definition.
fn plain_sum(block: u32, row: u32, col: u32, lane: u32) -> f32 {
  let signs = Wb[block * p.rows + row] >> vec4<u32>(lane);
  let at = col * p.nb + block;
  var ab = 0.0;
  for (var k = 0u; k < 4u; k++) {
    let q = unpack4xI8(Aq[32u * at + 8u * k + lane]);
    let negated = select(-q, q, q == vec4<i32>(-128));
    let bits = (vec4<u32>(signs[k]) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(1u);
    let signed = select(negated, q, bits == vec4<u32>(1u));
    ab += Ad[at][k] * f32(signed.x + signed.y + signed.z + signed.w);
  }
  return ab;
}

// A lane's chain of which only infinities and NaN are kept: what is finite does not change them.
fn special_lane(row: u32, col: u32, lane: u32) -> f32 {
  // Not the uniform itself: Mesa 22.3.6 would compile the text anew at every run.
  let blocks = p.nb | (row & p.zero);
  var acc = 0.0;
  for (var block = 0u; block < blocks; block++) {
    let ab = plain_sum(block, row, col, lane);
    acc = fma_special(bitcast<u32>(Wd[block * p.rows + row]), bitcast<u32>(ab), bitcast<u32>(acc));
  }
  return acc;
}

// The bits of an output. fma_pair makes NaN of every infinity, so that such an output is looked at
// again; infinities and NaN are the same in any order of lanes.
fn settle(sum: f32, row: u32, col: u32) -> u32 {
  let bits = bitcast<u32>(sum);
  if (is_finite(bits)) {
    return bits;
  }
  var special = 0.0;
  for (var lane = 0u; lane < 8u; lane++) {
    special += special_lane(row, col, lane);
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

@compute @workgroup_size(WG)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  // No early return: every invocation must reach the barriers.
  let row = min(id.x, p.rows - 1u);
  let col = id.y;
  let blocks = blocks_of_a_row(local);
  var chains = Chains();
  // A block's weights are on their way from memory while those before are used.
  var signs = Wb[row];
  var scale = Wd[row];
  for (var first = 0u; first < blocks; first += SEGMENT) {
    let count = min(SEGMENT, blocks - first);
    load_segment(first, count, col, local);
    workgroupBarrier();
    for (var block = 0u; block < count; block++) {
      let next_at = min(first + block + 1u, blocks - 1u) * p.rows + row;
      let next_signs = Wb[next_at];
      let next_scale = Wd[next_at];
      chains = add_whole_block(chains, signs, scale, block);
      signs = next_signs;
      scale = next_scale;
    }
    workgroupBarrier();
  }
  if (id.x < p.rows) {
    O[col * p.rows + row] = settle(joined(chains), row, col);
  }
}
