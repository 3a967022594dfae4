// Q1_TILE: Q1_0 · q8_0, one invocation a row in four columns: for many outputs. The sixteen sums
// with signs of a lane's four activations are made once for all rows of a workgroup. Order of
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

const WG = 256u; // invocations in a workgroup, and its rows
const PAIRS = 2u; // of columns in a tile

// Scaled sums of four activations, for each choice of their signs, in a pair of columns; by pair,
// sub-block and lane.
var<workgroup> table: array<array<array<array<vec2<f32>, 16>, 8>, 4>, PAIRS>;

// Four quants: their negations, what leads from there to themselves, and their scale. The negation
// wraps in eight bits: -(-128) is -128.
struct Quants {
  negated: vec4<f32>,
  change: vec4<f32>,
  scale: f32,
}

fn quants_of(block: u32, col: u32, k: u32, lane: u32) -> Quants {
  let at = min(col, p.cols - 1u) * p.nb + block;
  let q = vec4<f32>(unpack4xI8(Aq[32u * at + 8u * k + lane]));
  let negated = select(-q, q, q == vec4<f32>(-128.0));
  return Quants(negated, q - negated, Ad[at][k]);
}

// Each product is exact in f32: 11 significant bits times an integer of at most 10.
fn fill_table(block: u32, first_col: u32, local: u32) {
  if (local < 32u * PAIRS) {
    let pair = local / 32u;
    let k = (local / 8u) % 4u;
    let lane = local % 8u;
    let a = quants_of(block, first_col + 2u * pair, k, lane);
    let b = quants_of(block, first_col + 2u * pair + 1u, k, lane);
    let d = vec2<f32>(a.scale, b.scale);
    let none = vec2<f32>(
      a.negated.x + a.negated.y + a.negated.z + a.negated.w,
      b.negated.x + b.negated.y + b.negated.z + b.negated.w,
    );
    let x = vec2<f32>(a.change.x, b.change.x);
    let y = vec2<f32>(a.change.y, b.change.y);
    let z = vec2<f32>(a.change.z, b.change.z);
    let w = vec2<f32>(a.change.w, b.change.w);
    table[pair][k][lane][0] = d * none;
    table[pair][k][lane][1] = d * (none + x);
    table[pair][k][lane][2] = d * (none + y);
    table[pair][k][lane][3] = d * (none + x + y);
    table[pair][k][lane][4] = d * (none + z);
    table[pair][k][lane][5] = d * (none + x + z);
    table[pair][k][lane][6] = d * (none + y + z);
    table[pair][k][lane][7] = d * (none + x + y + z);
    table[pair][k][lane][8] = d * (none + w);
    table[pair][k][lane][9] = d * (none + x + w);
    table[pair][k][lane][10] = d * (none + y + w);
    table[pair][k][lane][11] = d * (none + x + y + w);
    table[pair][k][lane][12] = d * (none + z + w);
    table[pair][k][lane][13] = d * (none + x + z + w);
    table[pair][k][lane][14] = d * (none + y + z + w);
    table[pair][k][lane][15] = d * (none + x + y + z + w);
  }
}

// Which of its sixteen sums a lane's four weights take in each sub-block: a bit for each sign. The
// product brings the four bits, one a byte, side by side to the top.
fn sum_indices(signs: vec4<u32>, lane: u32) -> vec4<u32> {
  let bits = (signs >> vec4<u32>(lane)) & vec4<u32>(0x01010101u);
  return (bits * 0x01020408u) >> vec4<u32>(24u);
}

// What a block adds to a lane's chains of a pair of columns before it is scaled.
fn pair_sum(pair: u32, lane: u32, at: vec4<u32>) -> vec2<f32> {
  return ((table[pair][0][lane][at.x] + table[pair][1][lane][at.y]) +
    table[pair][2][lane][at.z]) + table[pair][3][lane][at.w];
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

// The chains of all lanes of a row in a pair of columns.
struct PairChains {
  lane0: vec2<f32>,
  lane1: vec2<f32>,
  lane2: vec2<f32>,
  lane3: vec2<f32>,
  lane4: vec2<f32>,
  lane5: vec2<f32>,
  lane6: vec2<f32>,
  lane7: vec2<f32>,
}

fn add_pair(chains: PairChains, pair: u32, signs: vec4<u32>, scale: f32) -> PairChains {
  return PairChains(
    fma_pair(scale, pair_sum(pair, 0u, sum_indices(signs, 0u)), chains.lane0),
    fma_pair(scale, pair_sum(pair, 1u, sum_indices(signs, 1u)), chains.lane1),
    fma_pair(scale, pair_sum(pair, 2u, sum_indices(signs, 2u)), chains.lane2),
    fma_pair(scale, pair_sum(pair, 3u, sum_indices(signs, 3u)), chains.lane3),
    fma_pair(scale, pair_sum(pair, 4u, sum_indices(signs, 4u)), chains.lane4),
    fma_pair(scale, pair_sum(pair, 5u, sum_indices(signs, 5u)), chains.lane5),
    fma_pair(scale, pair_sum(pair, 6u, sum_indices(signs, 6u)), chains.lane6),
    fma_pair(scale, pair_sum(pair, 7u, sum_indices(signs, 7u)), chains.lane7),
  );
}

fn joined_pair(chains: PairChains) -> vec2<f32> {
  let even = (chains.lane0 + chains.lane4) + (chains.lane2 + chains.lane6);
  let odd = (chains.lane1 + chains.lane5) + (chains.lane3 + chains.lane7);
  return even + odd;
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

fn store(sums: vec2<f32>, row: u32, col: u32) {
  if (col < p.cols) {
    O[col * p.rows + row] = settle(sums.x, row, col);
  }
  if (col + 1u < p.cols) {
    O[(col + 1u) * p.rows + row] = settle(sums.y, row, col + 1u);
  }
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
  let first_col = id.y * 2u * PAIRS;
  let blocks = blocks_of_a_row(local);
  var pair0 = PairChains();
  var pair1 = PairChains();
  for (var block = 0u; block < blocks; block++) {
    fill_table(block, first_col, local);
    workgroupBarrier();
    let signs = Wb[block * p.rows + row];
    let scale = Wd[block * p.rows + row];
    // Written out: compilers keep no array in registers that a loop walks.
    pair0 = add_pair(pair0, 0u, signs, scale);
    pair1 = add_pair(pair1, 1u, signs, scale);
    workgroupBarrier();
  }
  if (id.x < p.rows) {
    store(joined_pair(pair0), row, first_col);
    store(joined_pair(pair1), row, first_col + 2u);
  }
}
