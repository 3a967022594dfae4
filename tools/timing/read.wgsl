// Reads a whole buffer, 16 bytes an access, neighbours beside neighbours: what the memory gives.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>; // one word an invocation

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let stride = groups.x * 256u;
  let length = arrayLength(&data);
  var mixed = vec4<u32>();
  for (var i = id.x; i < length; i += stride) {
    mixed ^= data[i];
  }
  out[id.x] = mixed.x ^ mixed.y ^ mixed.z ^ mixed.w; // without it all of the above is removed
}
