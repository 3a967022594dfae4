// Q1_MM4: as Q1_MM for a tile of four columns, so that each word of weights is read and decoded once
// for the four. One invocation computes one lane of one row in the four columns; eight neighbours
// share a row and are joined through workgroup memory. Order of summation: blocks ascending; in a block, sub-blocks k ascending; lanes
// joined as ((0+4)+(2+6))+((1+5)+(3+7)).

@group(0) @binding(0) var<storage, read> Wd: array<f32>; // weight scales, one a block
@group(0) @binding(1) var<storage, read> Wb: array<u32>; // sign bits, four words a block
@group(0) @binding(2) var<storage, read> Ad: array<f32>; // activation scales, four a block
@group(0) @binding(3) var<storage, read> Aq: array<u32>; // quants, four to a word
@group(0) @binding(4) var<storage, read_write> O: array<u32>; // f32 bits at col · rows + row

struct Params {
  rows: u32,
  nb: u32, // blocks of 128 weights in a row
  cols: u32,
  zero: u32, // always 0, which only the host knows: see hide
}
@group(0) @binding(5) var<uniform> p: Params;

override WG: u32 = 64u; // invocations in a workgroup, a multiple of 8

// Four activations, added where their sign bit is 1 and subtracted where it is 0. The negation
// wraps in eight bits: -(-128) is -128.
fn signed_sum(quants: u32, signs: u32) -> i32 {
  var sum = 0;
  for (var i = 0u; i < 4u; i++) {
    let q = bitcast<i32>(quants << (24u - 8u * i)) >> 24u;
    let negated = (-q << 24u) >> 24u;
    sum += select(negated, q, ((signs >> i) & 1u) == 1u);
  }
  return sum;
}

// The same value, through a bit operation that no compiler can see through: without it
// (a + b) - a is folded to b, and the rounding error below is lost.
fn hide(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) | p.zero);
}

struct Exact {
  sum: f32,
  error: f32,
}

// Knuth's TwoSum: a + b = sum + error, exactly.
fn two_sum(a: f32, b: f32) -> Exact {
  let sum = hide(a + b);
  let b_part = hide(sum - a);
  let a_part = hide(sum - b_part);
  return Exact(sum, hide(hide(a - a_part) + hide(b - b_part)));
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

// round(a·b + c), rounded once, for an a of at most 12 significant bits. WGSL's fma may round
// twice. b is split so that both partial products are exact; what the two sums lose is rounded to
// odd (Boldo and Melquiond, 2008), which the last addition cannot round wrongly again.
// A c of -0 is taken as +0: an accumulator begins at +0, and a sum that cancels is +0.
fn fma_exact(a: f32, b: f32, c: f32) -> f32 {
  let a_bits = bitcast<u32>(a);
  let b_bits = bitcast<u32>(b);
  let c_bits = bitcast<u32>(c);
  if (!is_finite(a_bits) || !is_finite(b_bits) || !is_finite(c_bits)) {
    return fma_special(a_bits, b_bits, c_bits);
  }
  let b_high = bitcast<f32>(b_bits & 0xfffff000u);
  let b_low = hide(b - b_high);
  let product = two_sum(hide(a * b_high), hide(a * b_low));
  let total = two_sum(product.sum, c);
  let rest = two_sum(total.error, product.error);
  var rest_bits = bitcast<u32>(rest.sum);
  let lost = bitcast<u32>(rest.error);
  if ((lost & 0x7fffffffu) != 0u && (rest_bits & 1u) == 0u) {
    // Away from zero where what was lost has the sign of the rest, else toward zero.
    rest_bits = select(rest_bits - 1u, rest_bits + 1u, ((lost ^ rest_bits) >> 31u) == 0u);
  }
  return hide(total.sum + bitcast<f32>(rest_bits));
}

var<workgroup> lanes: array<vec4<f32>, WG>;

@compute @workgroup_size(WG)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let row = id.x / 8u;
  let lane = id.x % 8u;
  let first_col = id.y * 4u;
  // The last tile may have fewer than four columns.
  let tile_cols = min(4u, p.cols - min(p.cols, first_col));
  // No early return: every invocation must reach the barrier.
  let live = row < p.rows;
  var acc = vec4<f32>();
  if (live) {
    for (var block = 0u; block < p.nb; block++) {
      let weights_at = row * p.nb + block;
      var ab = vec4<f32>();
      for (var k = 0u; k < 4u; k++) {
        let signs = Wb[weights_at * 4u + k] >> (4u * lane);
        for (var c = 0u; c < tile_cols; c++) {
          let activations_at = ((first_col + c) * p.nb + block) * 4u + k;
          let quants = Aq[activations_at * 8u + lane];
          // Exact in f32: 11 significant bits times an integer of at most 10.
          let product = Ad[activations_at] * f32(signed_sum(quants, signs));
          if (k == 0u) {
            ab[c] = product;
          } else {
            ab[c] = ab[c] + product;
          }
        }
      }
      for (var c = 0u; c < tile_cols; c++) {
        acc[c] = fma_exact(Wd[weights_at], ab[c], acc[c]);
      }
    }
  }
  lanes[local] = acc;
  workgroupBarrier();
  if (live && lane == 0u) {
    let even = (lanes[local] + lanes[local + 4u]) + (lanes[local + 2u] + lanes[local + 6u]);
    let odd = (lanes[local + 1u] + lanes[local + 5u]) + (lanes[local + 3u] + lanes[local + 7u]);
    let sum = even + odd;
    for (var c = 0u; c < tile_cols; c++) {
      O[(first_col + c) * p.rows + row] = bitcast<u32>(sum[c]);
    }
  }
}
