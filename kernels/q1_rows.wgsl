// Q1_ROWS: Q1_0 · q8_0, one invocation four rows: for software adapters, where an element of a
// processor's vector is an invocation, and reading memory costs more than sums. Order of summation:
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

const FUSED = false; // no such adapter's fma rounds once

override WG: u32 = 64u; // invocations in a workgroup

// The negations of four signed bytes, each of which wraps in eight bits: -(-128) is -128.
fn negated_bytes(bytes: vec4<u32>) -> vec4<u32> {
  let top = vec4<u32>(0x80808080u);
  // No carry leaves a byte whose top bit is left out; that is put right afterwards.
  return (top - (bytes & ~top)) ^ (~bytes & top);
}

// A lane's quants, a component a sub-block.
fn quants_at(col: u32, block: u32, lane: u32) -> vec4<u32> {
  let at = 32u * (col * p.nb + block) + lane;
  return vec4<u32>(Aq[at], Aq[at + 8u], Aq[at + 16u], Aq[at + 24u]);
}

// A lane's quants in a block, as bytes above 0; a component a sub-block.
struct Bytes {
  negated: vec4<u32>, // the negations, and 128
  change: vec4<u32>, // the bits in which the quants, and 128, are others
}

fn bytes_of(quants: vec4<u32>) -> Bytes {
  let negated = negated_bytes(quants);
  return Bytes(negated ^ vec4<u32>(0x80808080u), negated ^ quants);
}

// What a block adds to a lane's chain before it is scaled. Each product is exact in f32, 11
// significant bits times an integer of at most 10, so that fused or not is the same. The lane's
// four sign bits are bit 0 of each byte of `signs`.
fn lane_sum_of_bytes(signs: vec4<u32>, bytes: Bytes, d: vec4<f32>) -> f32 {
  let ones = signs & vec4<u32>(0x01010101u);
  let mask = (ones << vec4<u32>(8u)) - ones;
  let picked = bytes.negated ^ (bytes.change & mask);
  let low = vec4<u32>(0x00ff00ffu);
  let halves = (picked & low) + ((picked >> vec4<u32>(8u)) & low);
  let sums = (halves + (halves >> vec4<u32>(16u))) & vec4<u32>(0xffffu);
  // By way of i32, which processors convert in one step; four bytes of 128 each are too many.
  let s = vec4<f32>(vec4<i32>(sums)) - 512.0;
  return d.w * s.w + (d.z * s.z + (d.y * s.y + d.x * s.x));
}

// The activations of a block.
struct Block {
  lane0: Bytes,
  lane1: Bytes,
  lane2: Bytes,
  lane3: Bytes,
  lane4: Bytes,
  lane5: Bytes,
  lane6: Bytes,
  lane7: Bytes,
  scales: vec4<f32>,
}

fn activations_at(col: u32, block: u32) -> Block {
  return Block(
    bytes_of(quants_at(col, block, 0u)),
    bytes_of(quants_at(col, block, 1u)),
    bytes_of(quants_at(col, block, 2u)),
    bytes_of(quants_at(col, block, 3u)),
    bytes_of(quants_at(col, block, 4u)),
    bytes_of(quants_at(col, block, 5u)),
    bytes_of(quants_at(col, block, 6u)),
    bytes_of(quants_at(col, block, 7u)),
    Ad[col * p.nb + block],
  );
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

// A block's share in a row's chains.
fn add_row(chains: Chains, at: u32, block: Block) -> Chains {
  let signs = Wb[at];
  let scale = Wd[at];
  let sum0 = lane_sum_of_bytes(signs, block.lane0, block.scales);
  let sum1 = lane_sum_of_bytes(signs >> vec4<u32>(1u), block.lane1, block.scales);
  let sum2 = lane_sum_of_bytes(signs >> vec4<u32>(2u), block.lane2, block.scales);
  let sum3 = lane_sum_of_bytes(signs >> vec4<u32>(3u), block.lane3, block.scales);
  let sum4 = lane_sum_of_bytes(signs >> vec4<u32>(4u), block.lane4, block.scales);
  let sum5 = lane_sum_of_bytes(signs >> vec4<u32>(5u), block.lane5, block.scales);
  let sum6 = lane_sum_of_bytes(signs >> vec4<u32>(6u), block.lane6, block.scales);
  let sum7 = lane_sum_of_bytes(signs >> vec4<u32>(7u), block.lane7, block.scales);
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

fn store_row(chains: Chains, row: u32, col: u32) {
  if (row < p.rows) {
    O[col * p.rows + row] = settle(joined(chains), row, col);
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
  var chains0 = Chains();
  var chains1 = Chains();
  var chains2 = Chains();
  var chains3 = Chains();
  // Not the uniform itself: Mesa 22.3.6 would compile the text anew at every run.
  let blocks = p.nb | (local & p.zero);
  for (var block = 0u; block < blocks; block++) {
    let activations = activations_at(col, block);
    let first = block * p.rows;
    chains0 = add_row(chains0, first + min(row0, last), activations);
    chains1 = add_row(chains1, first + min(row1, last), activations);
    chains2 = add_row(chains2, first + min(row2, last), activations);
    chains3 = add_row(chains3, first + min(row3, last), activations);
  }
  store_row(chains0, row0, col);
  store_row(chains1, row1, col);
  store_row(chains2, row2, col);
  store_row(chains3, row3, col);
}
