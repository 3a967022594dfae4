// Q1_SPLIT: Q1_0 · q8_0, four invocations a row, two lanes each: for few outputs. Order of
// summation: blocks ascending; in a block, sub-blocks k ascending; lanes joined as
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

const WG = 128u; // invocations in a workgroup
const ROWS = WG / 4u;

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

// The weights of eight blocks of a row, which are on their way from memory while others are used.
struct Weights {
  signs0: vec4<u32>,
  signs1: vec4<u32>,
  signs2: vec4<u32>,
  signs3: vec4<u32>,
  signs4: vec4<u32>,
  signs5: vec4<u32>,
  signs6: vec4<u32>,
  signs7: vec4<u32>,
  scale0: f32,
  scale1: f32,
  scale2: f32,
  scale3: f32,
  scale4: f32,
  scale5: f32,
  scale6: f32,
  scale7: f32,
}

// Past the row's end those of its last block, which nobody uses.
fn fetch(first: u32, row: u32) -> Weights {
  let last = p.nb - 1u;
  let at0 = min(first, last) * p.rows + row;
  let at1 = min(first + 1u, last) * p.rows + row;
  let at2 = min(first + 2u, last) * p.rows + row;
  let at3 = min(first + 3u, last) * p.rows + row;
  let at4 = min(first + 4u, last) * p.rows + row;
  let at5 = min(first + 5u, last) * p.rows + row;
  let at6 = min(first + 6u, last) * p.rows + row;
  let at7 = min(first + 7u, last) * p.rows + row;
  return Weights(
    Wb[at0],
    Wb[at1],
    Wb[at2],
    Wb[at3],
    Wb[at4],
    Wb[at5],
    Wb[at6],
    Wb[at7],
    Wd[at0],
    Wd[at1],
    Wd[at2],
    Wd[at3],
    Wd[at4],
    Wd[at5],
    Wd[at6],
    Wd[at7],
  );
}

// A block's share in the chains of `lane` and the next one; `block` is its place in the segment.
fn add_block(
  acc: vec2<f32>,
  signs: vec4<u32>,
  scale: f32,
  block: u32,
  lane: u32,
) -> vec2<f32> {
  let second = signs >> vec4<u32>(lane);
  let first = second << vec4<u32>(1u);
  let d = scales[block];
  let ab = vec2<f32>(
    lane_sum(first, lanes[block][lane], d),
    lane_sum(second, lanes[block][lane + 1u], d),
  );
  return fma_pair(scale, ab, acc);
}

var<workgroup> chains: array<array<f32, ROWS>, 8>;

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let lane = 2u * (local / ROWS);
  let slot = local % ROWS;
  let col = group.y;
  // No early return: every invocation must reach the barriers.
  let row = min(group.x * ROWS + slot, p.rows - 1u);
  let blocks = blocks_of_a_row(local);
  var acc = vec2<f32>();
  var next = fetch(0u, row);
  for (var first = 0u; first < blocks; first += SEGMENT) {
    let count = min(SEGMENT, blocks - first);
    load_segment(first, count, col, local);
    workgroupBarrier();
    for (var b = 0u; b < count; b += 8u) {
      let now = next;
      next = fetch(first + b + 8u, row);
      // Written out: compilers keep no array in registers that a loop walks.
      acc = add_block(acc, now.signs0, now.scale0, b, lane);
      if (b + 1u < count) {
        acc = add_block(acc, now.signs1, now.scale1, b + 1u, lane);
      }
      if (b + 2u < count) {
        acc = add_block(acc, now.signs2, now.scale2, b + 2u, lane);
      }
      if (b + 3u < count) {
        acc = add_block(acc, now.signs3, now.scale3, b + 3u, lane);
      }
      if (b + 4u < count) {
        acc = add_block(acc, now.signs4, now.scale4, b + 4u, lane);
      }
      if (b + 5u < count) {
        acc = add_block(acc, now.signs5, now.scale5, b + 5u, lane);
      }
      if (b + 6u < count) {
        acc = add_block(acc, now.signs6, now.scale6, b + 6u, lane);
      }
      if (b + 7u < count) {
        acc = add_block(acc, now.signs7, now.scale7, b + 7u, lane);
      }
    }
    workgroupBarrier();
  }
  chains[lane][slot] = acc.x;
  chains[lane + 1u][slot] = acc.y;
  workgroupBarrier();
  if (lane == 0u && group.x * ROWS + slot < p.rows) {
    let even = (chains[0][slot] + chains[4][slot]) + (chains[2][slot] + chains[6][slot]);
    let odd = (chains[1][slot] + chains[5][slot]) + (chains[3][slot] + chains[7][slot]);
    O[col * p.rows + row] = settle(even + odd, row, col);
  }
}
