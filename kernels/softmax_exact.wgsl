// SOFTMAX_EXACT: e^(x - max) / sum for each column, the same bits on every adapter. A workgroup a
// column. Order of summation: 64 chains of every 64th power, joined by halves. Values of -2^127 and
// below are masked: their weight is 0. All other numbers are tame: see tame.

@group(0) @binding(0) var<storage, read> X: array<u32>; // f32 bits, n for each column
@group(0) @binding(1) var<storage, read_write> O: array<u32>; // as X

struct Params {
  n: u32, // at least 1
  zero: u32, // always 0, which only the host knows: see hide
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(2) var<uniform> p: Params;

const WG = 64u;

const NOT_A_NUMBER = 0x7fc00000u;
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

// There is no -0.
fn negated(x: u32) -> u32 {
  return select(x ^ 0x80000000u, x, x == 0u || x == NOT_A_NUMBER);
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

// e^x for an x that is not above 0: from 0 to 1, +0 where it is below 2^-125. About one unit in the
// last place off, the same way everywhere.
fn exp_tame(x: u32) -> u32 {
  let size = min(x & 0x7fffffffu, 0x42b00000u); // 88, from where on all are 0
  // x = r - k · ln 2, with ln 2 in two parts: the first has 15 bits, so that its product is exact.
  let k = u32(bitcast<f32>(add_tame(mul_tame(size, 0x3fb8aa3bu), 0x3f000000u)));
  let k_bits = bitcast<u32>(f32(k));
  let near = add_tame(x, mul_tame(k_bits, 0x3f317200u));
  let r = add_tame(near, mul_tame(k_bits, 0x35bfbe8eu));
  // Taylor's coefficients, 1 / 7! to 1 / 2!.
  var power = 0x39500d01u;
  power = add_tame(mul_tame(power, r), 0x3ab60b61u);
  power = add_tame(mul_tame(power, r), 0x3c088889u);
  power = add_tame(mul_tame(power, r), 0x3d2aaaabu);
  power = add_tame(mul_tame(power, r), 0x3e2aaaabu);
  power = add_tame(mul_tame(power, r), 0x3f000000u);
  power = add_tame(0x3f800000u, add_tame(r, mul_tame(mul_tame(r, r), power)));
  let is_zero = size == 0x42b00000u || (power >> 23u) < k + 2u;
  return select(select(power - (k << 23u), 0u, is_zero), NOT_A_NUMBER, x == NOT_A_NUMBER);
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

// -2^127 and below, -infinity too.
fn is_masked(bits: u32) -> bool {
  return bits >= 0xff000000u && bits <= 0xff800000u;
}

// Ascending with the value, masked ones first and NaN last.
fn order_of(bits: u32) -> u32 {
  if (is_masked(bits)) {
    return 0u;
  }
  let x = tame(bits);
  return select(x | 0x80000000u, ~x, x >= 0x80000000u);
}

var<workgroup> orders: array<u32, WG>;

// The largest of the workgroup's orders. Every invocation must call it, and once.
fn largest_of_all(mine: u32, local: u32) -> u32 {
  orders[local] = mine;
  workgroupBarrier();
  for (var half = WG / 2u; half > 0u; half /= 2u) {
    if (local < half) {
      orders[local] = max(orders[local], orders[local + half]);
    }
    workgroupBarrier();
  }
  return orders[0];
}

// e^(x - largest), where neither is NaN unless both are; a difference below -2^127 is none.
fn power_of(bits: u32, largest: u32) -> u32 {
  let difference = add_tame(tame(bits), negated(largest));
  if (is_masked(bits) || (difference == NOT_A_NUMBER && largest != NOT_A_NUMBER)) {
    return 0u;
  }
  return exp_tame(difference);
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = group.x * p.n;
  var order = 0u;
  for (var i = local; i < p.n; i += WG) {
    order = max(order, order_of(X[first + i]));
  }
  order = largest_of_all(order, local);
  // Where all are masked it does not matter.
  let largest = select(~order, order & 0x7fffffffu, order >= 0x80000000u);
  let is_number = largest != NOT_A_NUMBER;
  var sum = 0u;
  for (var i = local; i < p.n; i += WG) {
    sum = add_tame(sum, power_of(X[first + i], largest));
  }
  sum = sum_of_all(sum, local);
  for (var i = local; i < p.n; i += WG) {
    let power = power_of(X[first + i], largest);
    let weight = select(div_tame(power, sum), 0u, power == 0u);
    O[first + i] = select(NOT_A_NUMBER, weight, is_number);
  }
}
