// ROPE_KV_WRITE: a token's keys, turned by its position, and its values, as they are, into the caches.
// Elements d and d + HALF of a head are a pair. One workgroup a head, one invocation a pair. Nothing is
// written where the caches have no place for the position.

@group(0) @binding(0) var<storage, read> K: array<f32>; // HEAD for each head
@group(0) @binding(1) var<storage, read> V: array<u32>; // f32 bits: no arithmetic may touch them
@group(0) @binding(2) var<storage, read> C: array<f32>; // HALF for each position
@group(0) @binding(3) var<storage, read> S: array<f32>; // HALF for each position
// Element ((layer · len + position) · heads + head) · HEAD + dim.
@group(0) @binding(4) var<storage, read_write> keys: array<f32>;
@group(0) @binding(5) var<storage, read_write> values: array<u32>;

struct Params {
  layer: u32,
  position: u32,
  len: u32,
  heads: u32,
}
@group(0) @binding(6) var<uniform> p: Params;

const HALF = 64u;
const HEAD = 128u;

@compute @workgroup_size(HALF)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) d: u32,
) {
  if (p.position >= p.len) {
    return;
  }
  let first = group.x * HEAD + d;
  let place = (p.layer * p.len + p.position) * p.heads * HEAD + first;
  let a = K[first];
  let b = K[first + HALF];
  let cosine = C[p.position * HALF + d];
  let sine = S[p.position * HALF + d];
  keys[place] = a * cosine - b * sine;
  keys[place + HALF] = b * cosine + a * sine;
  values[place] = V[first];
  values[place + HALF] = V[first + HALF];
}
