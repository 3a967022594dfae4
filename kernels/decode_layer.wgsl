// DECODE_LAYER: what a layer has beside the steps that other kernels compute: its cache, attention's
// scores and mix, and the residual sums. Orders of summation: a score in 64 chains of every 64th
// product, joined by halves; a mix by positions, ascending. All numbers are tame: see tame.

@group(0) @binding(0) var<storage, read> A: array<u32>; // f32 bits, as each entry point says
@group(0) @binding(1) var<storage, read> B: array<u32>;
@group(0) @binding(2) var<storage, read_write> O: array<u32>;

struct Params {
  count: u32, // words of `copy` and `add`; positions of `scores` and `mix`
  position: u32, // in the cache, of `copy`
  head: u32, // values in a head
  heads: u32, // of queries
  kv_heads: u32, // of keys and values
  scale: u32, // f32 bits of what scores are multiplied by
  zero: u32, // always 0, which only the host knows: see hide
  pad: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

const WG = 64u;

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

// Where the cache holds the first value of a position, for a query head.
fn cached_at(position: u32, query_head: u32) -> u32 {
  let kv_head = query_head / (p.heads / p.kv_heads);
  return (position * p.kv_heads + kv_head) * p.head;
}

// Words of A into a cache, from a position on.
@compute @workgroup_size(WG)
fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < p.count) {
    O[p.position * p.kv_heads * p.head + id.x] = A[id.x];
  }
}

// A: queries. B: keys. A workgroup a position and query head.
@compute @workgroup_size(WG)
fn scores(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let position = group.x;
  let query_head = group.y;
  let keys_at = cached_at(position, query_head);
  var sum = 0u;
  for (var d = local; d < p.head; d += WG) {
    sum = add_tame(sum, mul_tame(tame(A[query_head * p.head + d]), tame(B[keys_at + d])));
  }
  sum = sum_of_all(sum, local);
  if (local == 0u) {
    O[query_head * p.count + position] = mul_tame(sum, p.scale);
  }
}

// A: the weights of positions, for each query head. B: values. One value of a head an invocation.
@compute @workgroup_size(WG)
fn mix(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= p.heads * p.head) {
    return;
  }
  let query_head = id.x / p.head;
  var sum = 0u;
  for (var position = 0u; position < p.count; position++) {
    let value = tame(B[cached_at(position, query_head) + id.x % p.head]);
    sum = add_tame(sum, mul_tame(A[query_head * p.count + position], value));
  }
  O[id.x] = sum;
}

// A + B.
@compute @workgroup_size(WG)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < p.count) {
    O[id.x] = add_tame(tame(A[id.x]), tame(B[id.x]));
  }
}
