// Doubles: `x` and "y" \ ${z}.
@group(0) @binding(0) var<storage, read_write> O: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  O[id.x] = O[id.x] * 2.0; // "#
}
