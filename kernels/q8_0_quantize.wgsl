// Q8_QUANTIZE: columns of f32 activations to q8_0 blocks. One invocation makes two blocks, which are
// 17 whole words. WGSL's division may be 2.5 units in the last place off, and floats may be flushed
// to zero where they are subnormal; so quotients come from a long division of integers, and the only
// operation on floats is a product of two numbers from 1 to 2.

@group(0) @binding(0) var<storage, read> X: array<u32>; // f32 bits, n for each column
@group(0) @binding(1) var<storage, read_write> O: array<u32>; // q8_0 blocks, `words` for each column

struct Params {
  n: u32, // a multiple of 32
  words: u32, // of a column of O
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(2) var<uniform> p: Params;

const INFINITY = 0x7f800000u;
const ONE = 0x3f800000u; // the bits of 1.0
const LEADING = 0x800000u; // the significand's first bit, which f32 does not store

// significand · 2^(exponent - 23), the significand of 24 bits.
struct Number {
  significand: u32,
  exponent: i32,
}

// A positive normal f32.
fn number_of(bits: u32) -> Number {
  return Number((bits & 0x7fffffu) | LEADING, i32(bits >> 23u) - 127);
}

// a / b, rounded once to 24 bits.
fn quotient(a: Number, b: Number) -> Number {
  var rest = a.significand;
  var exponent = a.exponent - b.exponent;
  if (rest < b.significand) {
    rest <<= 1u;
    exponent -= 1;
  }
  // 25 digits: 24 are kept, and one rounds.
  var digits = 0u;
  for (var i = 0u; i < 25u; i++) {
    digits <<= 1u;
    if (rest >= b.significand) {
      rest -= b.significand;
      digits |= 1u;
    }
    rest <<= 1u;
  }
  // Never a tie: b times 25 digits has more than a's 24. And no carry, as a / b is at most 2 - 1 / b.
  return Number((digits >> 1u) + (digits & 1u), exponent);
}

// value / 2^shift to an integer, ties to even; shift is 1 to 31.
fn shifted_to_even(value: u32, shift: u32) -> u32 {
  let kept = value >> shift;
  let rest = value & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  if (rest > half || (rest == half && (kept & 1u) == 1u)) {
    return kept + 1u;
  }
  return kept;
}

// The bits of an f16: infinite from 65,520 on, subnormal below 2^-14.
fn f16_of(x: Number) -> u32 {
  if (x.exponent > 15) {
    return 0x7c00u;
  }
  if (x.exponent >= -14) {
    // A carry out of the significand runs into the exponent, up to infinity.
    let exponent = u32(x.exponent + 14) << 10u;
    return exponent + shifted_to_even(x.significand, 13u);
  }
  if (x.exponent < -25) {
    return 0u;
  }
  return shifted_to_even(x.significand, u32(-1 - x.exponent));
}

// The quant of x, where the factor is finite and not zero.
fn quant_of(bits: u32, factor: Number) -> u32 {
  let size = bits & 0x7fffffffu;
  if (size == 0u) {
    return 0u;
  }
  var significand = size & 0x7fffffu;
  var exponent = i32(size >> 23u) - 127;
  if (size < LEADING) {
    let shift = countLeadingZeros(size) - 8u;
    significand = (size << shift) & 0x7fffffu;
    exponent = -126 - i32(shift);
  }
  // Both from 1 to 2, so that neither they nor their product are flushed; rounded as the product of
  // x and the factor is.
  let product = bitcast<u32>(
    bitcast<f32>(ONE | significand) * bitcast<f32>(ONE | (factor.significand & 0x7fffffu)),
  );
  exponent += factor.exponent + i32(product >> 23u) - 127;
  if (exponent < -1) {
    return 0u; // below a half
  }
  // No x is above the largest: at most 127, and the exponent at most 6.
  let integer = shifted_to_even((product & 0x7fffffu) | LEADING, u32(23 - exponent));
  return select(integer, 0u - integer, bits >= 0x80000000u) & 0xffu;
}

// 17 for each of two blocks: a scale, and pairs of quants; zeros where there is no second block.
var<private> halves: array<u32, 34>;

fn quantize(from_x: u32, to_half: u32) {
  var largest = 0u;
  for (var j = 0u; j < 32u; j++) {
    let size = X[from_x + j] & 0x7fffffffu;
    if (size <= INFINITY) { // else it is NaN
      largest = max(largest, size);
    }
  }
  var scale = 0u;
  var factor = Number(0u, 0);
  var is_infinite = false; // the factor
  if (largest == INFINITY) {
    scale = 0x7c00u; // and the factor is 127 / infinity = 0
  } else if (largest >= LEADING) {
    let of_127 = Number(127u << 17u, 6);
    scale = f16_of(quotient(number_of(largest), of_127));
    factor = quotient(of_127, number_of(largest));
    is_infinite = factor.exponent > 127;
  } else if (largest > 0u) {
    is_infinite = true; // subnormal: 127 / largest is above all f32
  }
  halves[to_half] = scale;
  for (var j = 0u; j < 16u; j++) {
    var pair = 0u;
    for (var k = 0u; k < 2u; k++) {
      let x = X[from_x + 2u * j + k];
      let size = x & 0x7fffffffu;
      var quant = 0u;
      if (size > INFINITY || is_infinite || size == INFINITY) {
        quant = 0x80u; // NaN, or infinite, as x86 converts them
      } else if (factor.significand != 0u) {
        quant = quant_of(x, factor);
      }
      pair |= quant << (8u * k);
    }
    halves[to_half + 1u + j] = pair;
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let blocks = p.n / 32u;
  let first = 2u * id.x;
  let col = id.y;
  if (first >= blocks) {
    return;
  }
  for (var i = 0u; i < 2u; i++) {
    if (first + i < blocks) {
      quantize(col * p.n + (first + i) * 32u, 17u * i);
    }
  }
  for (var i = 0u; i < 17u; i++) {
    let word = 17u * id.x + i;
    if (word < p.words) {
      O[col * p.words + word] = halves[2u * i] | (halves[2u * i + 1u] << 16u);
    }
  }
}
