// Fills a buffer with words that no memory controller can compress: PCG's output function of the
// word's place (Jarzynski and Olano, Hash Functions for GPU Rendering, 2020).

@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let stride = groups.x * 256u;
  let length = arrayLength(&data);
  for (var i = id.x; i < length; i += stride) {
    let state = i * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    data[i] = (word >> 22u) ^ word;
  }
}
