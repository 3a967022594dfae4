// DEQUANTIZE and EMBEDDING: rows of packed blocks to f32, one value an invocation; an entry point for
// each format. A scale times a small integer is exact; it is computed with integers, so that
// infinite and NaN scales, and the sign of zero, do not depend on what a compiler takes for granted.

@group(0) @binding(0) var<storage, read> W: array<u32>; // packed blocks, the bytes of a whole table
@group(0) @binding(1) var<storage, read> R: array<u32>; // which rows of it, one for each of y
@group(0) @binding(2) var<storage, read_write> O: array<u32>; // f32 bits, n for each of R

struct Params {
  n: u32, // values in a row, a multiple of the block's
  pad0: u32,
  pad1: u32,
  pad2: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

// Blocks are 18 and 34 bytes long, so everything in them is aligned to two bytes only.
fn half_at(at: u32) -> u32 {
  return (W[at >> 2u] >> ((at & 2u) << 3u)) & 0xffffu;
}

fn byte_at(at: u32) -> u32 {
  return (W[at >> 2u] >> ((at & 3u) << 3u)) & 0xffu;
}

// The bits of scale · factor, the scale an f16, the factor of at most 8 bits.
fn product(scale: u32, factor: i32) -> u32 {
  let sign = ((scale >> 15u) ^ select(0u, 1u, factor < 0)) << 31u;
  let size = u32(abs(factor));
  let exponent = (scale >> 10u) & 31u;
  let mantissa = scale & 1023u;
  if (exponent == 31u) {
    if (mantissa != 0u || size == 0u) {
      return 0x7fc00000u;
    }
    return sign | 0x7f800000u;
  }
  let significand = mantissa | select(1024u, 0u, exponent == 0u);
  let integer = significand * size;
  if (integer == 0u) {
    return sign;
  }
  // Exact, and above 0: of at most 18 bits. Its unit is 2^(exponent - 25), and the smallest, 2^-24,
  // is no subnormal of f32.
  return sign | (bitcast<u32>(f32(integer)) + (max(exponent, 1u) << 23u) - (25u << 23u));
}

// The byte where the block of value i stands, in the row of this y.
fn block_at(id: vec3<u32>, elements: u32, bytes: u32) -> u32 {
  return (R[id.y] * (p.n / elements) + id.x / elements) * bytes;
}

@compute @workgroup_size(64)
fn q1_0(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.n) {
    return;
  }
  let at = block_at(id, 128u, 18u);
  let j = id.x % 128u;
  let bit = (byte_at(at + 2u + j / 8u) >> (j % 8u)) & 1u;
  O[id.y * p.n + id.x] = product(half_at(at), select(-1, 1, bit == 1u));
}

@compute @workgroup_size(64)
fn q2_0(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.n) {
    return;
  }
  let at = block_at(id, 64u, 18u);
  let j = id.x % 64u;
  let code = (byte_at(at + 2u + j / 4u) >> (2u * (j % 4u))) & 3u;
  O[id.y * p.n + id.x] = product(half_at(at), i32(code) - 1);
}

@compute @workgroup_size(64)
fn q8_0(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.n) {
    return;
  }
  let at = block_at(id, 32u, 34u);
  let quant = bitcast<i32>(byte_at(at + 2u + id.x % 32u) << 24u) >> 24u;
  O[id.y * p.n + id.x] = product(half_at(at), quant);
}
