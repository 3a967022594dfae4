// SWIGLU: silu(gate) · up. One invocation an element. The exponential is that of −|gate|, which cannot
// overflow: sigmoid(g) = 1 / (1 + e), or e / (1 + e) where g < 0.

@group(0) @binding(0) var<storage, read> G: array<f32>;
@group(0) @binding(1) var<storage, read> U: array<f32>;
@group(0) @binding(2) var<storage, read_write> O: array<f32>;

struct Params {
  count: u32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}
@group(0) @binding(3) var<uniform> p: Params;

const WG = 64u;

@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= p.count) {
    return;
  }
  let g = G[i];
  let e = exp(-abs(g));
  let sigmoid = select(1.0, e, g < 0.0) / (1.0 + e);
  O[i] = g * sigmoid * U[i];
}
