// RMS_NORM_EXACT: x / sqrt(mean(x²) + epsilon) · w for each column, the same bits on every adapter. A
// workgroup a column. Order of summation: 64 chains of every 64th square, joined by halves.
// All numbers are tame: see tame.

@group(0) @binding(0) var<storage, read> X: array<u32>; // f32 bits, n for each column
@group(0) @binding(1) var<storage, read> W: array<u32>; // f32 bits, n
@group(0) @binding(2) var<storage, read_write> O: array<u32>; // f32 bits, n for each column

struct Params {
  n: u32, // below 2^24
  epsilon: u32, // f32 bits of a tame number above 0
  zero: u32, // always 0, which only the host knows: see hide
  pad: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

const WG = 64u;

const NOT_A_NUMBER = 0x7fc00000u;
const ONE = 0x3f800000u; // the bits of 1.0
const LEADING = 0x800000u; // the significand's first bit, which f32 does not store

// The same value, through a bit operation that no compiler can see through: without it a product and
// the sum that it goes into become one operation.
fn hide(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) | p.zero);
}

// What of f32 every adapter treats alike: +0, sizes from 2^-125 to below 2^127, and one NaN. Below,
// adapters may flush to zero, before they round or after it; above, they may saturate. It and what
// is made of it have no branches: with some, SwiftShader does not come to an end of loops over them.
fn tame(bits: u32) -> u32 {
  let exponent = (bits >> 23u) & 255u;
  return select(select(bits, NOT_A_NUMBER, exponent > 253u), 0u, exponent < 2u);
}

// Of tame numbers, as all below: a NaN is told by its bits, since compilers may assume there is none.
fn add_tame(a: u32, b: u32) -> u32 {
  let sum = tame(bitcast<u32>(hide(bitcast<f32>(a) + bitcast<f32>(b))));
  return select(sum, NOT_A_NUMBER, a == NOT_A_NUMBER || b == NOT_A_NUMBER);
}

fn mul_tame(a: u32, b: u32) -> u32 {
  let product = tame(bitcast<u32>(hide(bitcast<f32>(a) * bitcast<f32>(b))));
  return select(product, NOT_A_NUMBER, a == NOT_A_NUMBER || b == NOT_A_NUMBER);
}

// significand · 2^(exponent - 23), the significand of 24 bits.
struct Number {
  significand: u32,
  exponent: i32,
}

// A positive normal f32.
fn number_of(bits: u32) -> Number {
  return Number((bits & 0x7fffffu) | LEADING, i32(bits >> 23u) - 127);
}

// A positive number as a tame one.
fn tame_of(x: Number) -> u32 {
  let bits = (u32(x.exponent + 127) << 23u) | (x.significand & 0x7fffffu);
  return select(select(bits, NOT_A_NUMBER, x.exponent > 126), 0u, x.exponent < -125);
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

// a / b, rounded once; NaN where b is 0.
fn div_tame(a: u32, b: u32) -> u32 {
  let size = tame_of(quotient(number_of(a & 0x7fffffffu), number_of(b & 0x7fffffffu)));
  let is_number = a != NOT_A_NUMBER && b != NOT_A_NUMBER && b != 0u && size != NOT_A_NUMBER;
  let bits = select(size | ((a ^ b) & 0x80000000u), 0u, a == 0u || size == 0u);
  return select(NOT_A_NUMBER, bits, is_number);
}

// The root of a number that is not below 0, rounded once.
fn sqrt_tame(a: u32) -> u32 {
  if (a == 0u || a == NOT_A_NUMBER) {
    return a;
  }
  let x = number_of(a);
  let is_odd = x.exponent & 1;
  // 25 digits of the root, from pairs of digits: 24 are kept, and one rounds. The first 13 pairs hold
  // the significand, with one digit more where the exponent is odd; zeros follow.
  var pairs = x.significand << u32(1 + is_odd);
  var rest = 0u;
  var digits = 0u;
  for (var i = 0u; i < 25u; i++) {
    rest = (rest << 2u) | ((pairs >> 24u) & 3u);
    pairs <<= 2u;
    let trial = (digits << 2u) | 1u;
    digits <<= 1u;
    if (rest >= trial) {
      rest -= trial;
      digits |= 1u;
    }
  }
  // Never a tie: the square of 25 digits has more than 25. And no carry, as the root is below 2 - 2^-24.
  return tame_of(Number((digits >> 1u) + (digits & 1u), (x.exponent - is_odd) / 2));
}

var<workgroup> chains: array<u32, WG>;

// The sum of the workgroup's numbers, by halves. Every invocation must call it, and once: a second
// sum would be written while others still read the first.
fn sum_of_all(mine: u32, local: u32) -> u32 {
  chains[local] = mine;
  workgroupBarrier();
  for (var half = WG / 2u; half > 0u; half /= 2u) {
    if (local < half) {
      chains[local] = add_tame(chains[local], chains[local + half]);
    }
    workgroupBarrier();
  }
  return chains[0];
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = group.x * p.n;
  var sum = 0u;
  for (var i = local; i < p.n; i += WG) {
    let x = tame(X[first + i]);
    sum = add_tame(sum, mul_tame(x, x));
  }
  let mean = div_tame(sum_of_all(sum, local), bitcast<u32>(f32(p.n)));
  let scale = div_tame(ONE, sqrt_tame(add_tame(mean, p.epsilon)));
  for (var i = local; i < p.n; i += WG) {
    O[first + i] = mul_tame(mul_tame(tame(X[first + i]), scale), tame(W[i]));
  }
}
