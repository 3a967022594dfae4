// Q2_LANES: a matrix of Q2_0 weights times q8_0 columns, from the packed blocks. Eight neighbours share
// a row: each computes a block's own sum, and the first of them adds the eight to the row's sum in
// their order, through workgroup memory. Order of summation: as Q2_DOT.

@group(0) @binding(0) var<storage, read> W: array<u32>; // Q2_0 blocks, 18 bytes each
@group(0) @binding(1) var<storage, read> A: array<u32>; // q8_0 blocks, 34 bytes each
@group(0) @binding(2) var<storage, read_write> O: array<u32>; // f32 bits at col · rows + row

struct Params {
  n: u32, // weights in a row, a multiple of 64
  rows: u32,
  zero: u32, // always 0, which only the host knows: see hide
  pad: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

override WG: u32 = 64u; // invocations in a workgroup, a multiple of 8

// Blocks are 18 and 34 bytes long, so everything in them is aligned to two bytes only.
fn weight_half(at: u32) -> u32 {
  return (W[at >> 2u] >> ((at & 2u) << 3u)) & 0xffffu;
}

fn activation_half(at: u32) -> u32 {
  return (A[at >> 2u] >> ((at & 2u) << 3u)) & 0xffffu;
}

fn activation_word(at: u32) -> u32 {
  return activation_half(at) | (activation_half(at + 2u) << 16u);
}

// Integer operations, since unpack2x16float may flush subnormals. Every subnormal f16 is a normal
// f32, and mantissa · 2^-24 is exact.
fn f16_to_f32(half: u32) -> f32 {
  let sign = (half & 0x8000u) << 16u;
  let exponent = (half >> 10u) & 31u;
  let mantissa = half & 1023u;
  var magnitude = ((exponent + 112u) << 23u) | (mantissa << 13u);
  if (exponent == 0u) {
    magnitude = bitcast<u32>(f32(mantissa) * 0x1p-24f);
  } else if (exponent == 31u) {
    magnitude = 0x7f800000u | (mantissa << 13u);
  }
  return bitcast<f32>(sign | magnitude);
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
// A c of -0 is taken as +0: the sum begins at +0, and a sum that cancels is +0.
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

// Four activations, each times what its code of two bits stands for: -1, 0, +1 or +2.
fn code_sum(quants: u32, codes: u32) -> i32 {
  var sum = 0;
  for (var i = 0u; i < 4u; i++) {
    let q = bitcast<i32>(quants << (24u - 8u * i)) >> 24u;
    let weight = i32((codes >> (2u * i)) & 3u) - 1;
    sum += weight * q;
  }
  return sum;
}

// The sum of a block of a row and a column, before the weights' scale.
fn block_sum(weights_at: u32, first_at: u32) -> f32 {
  var part = 0.0;
  for (var k = 0u; k < 2u; k++) {
    let activations_at = first_at + 34u * k;
    var s = 0;
    for (var i = 0u; i < 8u; i++) {
      let codes = weight_half(weights_at + 2u + 8u * k + (i & 6u)) >> (8u * (i & 1u));
      s += code_sum(activation_word(activations_at + 2u + 4u * i), codes);
    }
    // Exact in f32: 11 significant bits times an integer of at most 13, or 2^13 itself.
    let product = f16_to_f32(activation_half(activations_at)) * f32(s);
    if (k == 0u) {
      part = product;
    } else {
      part = part + product;
    }
  }
  return part;
}

var<workgroup> parts: array<f32, WG>;

@compute @workgroup_size(WG)
fn main(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let row = id.x / 8u;
  let lane = id.x % 8u;
  let col = id.y;
  // No early return: every invocation must reach the barriers.
  let live = row < p.rows;
  let blocks = p.n / 64u;
  var sum = 0.0;
  for (var first = 0u; first < blocks; first += 8u) {
    let mine = first + lane;
    if (live && mine < blocks) {
      parts[local] = block_sum((row * blocks + mine) * 18u, (col * blocks + mine) * 68u);
    }
    workgroupBarrier();
    if (live && lane == 0u) {
      for (var i = 0u; i < min(8u, blocks - first); i++) {
        let scale = f16_to_f32(weight_half((row * blocks + first + i) * 18u));
        sum = fma_exact(scale, parts[local + i], sum);
      }
    }
    workgroupBarrier();
  }
  if (live && lane == 0u) {
    O[col * p.rows + row] = bitcast<u32>(sum);
  }
}
