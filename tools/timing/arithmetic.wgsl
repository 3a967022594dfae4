// Integer and float arithmetic in registers, as the kernels' own, and no memory: what the cores
// give. Each round is 4 float operations (two multiplies and two adds) and 4 integer ones.

const ROUNDS = 128u;

@group(0) @binding(0) var<storage, read_write> out: array<u32>; // one word an invocation

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var a = id.x;
  var b = id.x ^ 0x9e3779b9u;
  var x = f32(id.x & 1023u);
  var y = 1.0f;
  for (var i = 0u; i < ROUNDS; i++) {
    a = a * 1664525u + 1013904223u;
    b = (b << 5u) ^ a;
    x = x * 0.75f + 1.5f;
    y = y * 0.5f + x;
  }
  out[id.x] = a ^ b ^ bitcast<u32>(x + y);
}
