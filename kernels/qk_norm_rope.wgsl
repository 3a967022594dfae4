// QK_NORM_ROPE: each head divided by its root mean square, times a weight, then turned by its position:
// elements d and d + HALF are a pair. One workgroup a head, one invocation a pair. Order of summation:
// each of 64 invocations adds the squares of its pair, then the sums are joined in pairs.

@group(0) @binding(0) var<storage, read> X: array<f32>; // HEAD for each head
@group(0) @binding(1) var<storage, read> W: array<f32>; // HEAD
@group(0) @binding(2) var<storage, read> C: array<f32>; // HALF for each position
@group(0) @binding(3) var<storage, read> S: array<f32>; // HALF for each position
@group(0) @binding(4) var<storage, read_write> O: array<f32>; // HEAD for each head

struct Params {
  position: u32,
  epsilon: f32,
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(5) var<uniform> p: Params;

const HALF = 64u;
const HEAD = 128u;

var<workgroup> sums: array<f32, HALF>;

@compute @workgroup_size(HALF)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) d: u32,
) {
  let first = group.x * HEAD + d;
  let second = first + HALF;
  sums[d] = X[first] * X[first] + X[second] * X[second];
  workgroupBarrier();
  for (var half = HALF / 2u; half > 0u; half /= 2u) {
    if (d < half) {
      sums[d] += sums[d + half];
    }
    workgroupBarrier();
  }
  let scale = inverseSqrt(sums[0] / f32(HEAD) + p.epsilon);
  let a = X[first] * scale * W[d];
  let b = X[second] * scale * W[d + HALF];
  let cosine = C[p.position * HALF + d];
  let sine = S[p.position * HALF + d];
  O[first] = a * cosine - b * sine;
  O[second] = b * cosine + a * sine;
}
