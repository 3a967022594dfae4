// RMS_NORM: y = x / sqrt(mean(x²) + epsilon) · w. One workgroup a column. Order of summation: each of
// 64 invocations adds every 64th square, then the sums are joined in pairs.

@group(0) @binding(0) var<storage, read> X: array<f32>; // n for each column
@group(0) @binding(1) var<storage, read> W: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> O: array<f32>; // n for each column

struct Params {
  n: u32,
  epsilon: f32,
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

const WG = 64u;

var<workgroup> sums: array<f32, WG>;

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = group.x * p.n;
  var sum = 0.0;
  for (var i = local; i < p.n; i += WG) {
    let x = X[first + i];
    sum += x * x;
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = WG / 2u; half > 0u; half /= 2u) {
    if (local < half) {
      sums[local] += sums[local + half];
    }
    workgroupBarrier();
  }
  let scale = inverseSqrt(sums[0] / f32(p.n) + p.epsilon);
  for (var i = local; i < p.n; i += WG) {
    O[first + i] = X[first + i] * scale * W[i];
  }
}
