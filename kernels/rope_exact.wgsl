// ROPE_EXACT: rotary positions, the same bits on every adapter. One pair (d, d + half) an invocation.
// All numbers are tame: see tame.

@group(0) @binding(0) var<storage, read> X: array<u32>; // f32 bits, `heads` heads for each token
@group(0) @binding(1) var<storage, read> Cos: array<u32>; // f32 bits at position · half + d
@group(0) @binding(2) var<storage, read> Sin: array<u32>; // as Cos
@group(0) @binding(3) var<storage, read_write> O: array<u32>; // as X

struct Params {
  half: u32, // pairs in a head
  heads: u32,
  position: u32, // of the first token, as the tables count; each token is one further
  zero: u32, // always 0, which only the host knows: see hide
}
@group(0) @binding(4) var<uniform> p: Params;

const NOT_A_NUMBER = 0x7fc00000u;

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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let pair = id.x;
  let token = id.y;
  if (pair >= p.half * p.heads) {
    return;
  }
  let d = pair % p.half;
  let at = (token * p.heads + pair / p.half) * 2u * p.half + d;
  let turn = (p.position + token) * p.half + d;
  let a = tame(X[at]);
  let b = tame(X[at + p.half]);
  let c = tame(Cos[turn]);
  let s = tame(Sin[turn]);
  O[at] = add_tame(mul_tame(a, c), negated(mul_tame(b, s)));
  O[at + p.half] = add_tame(mul_tame(b, c), mul_tame(a, s));
}
