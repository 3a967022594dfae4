// Nothing but one word: what it costs to run any kernel at all.

@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(1)
fn main() {
  out[0] = 1u;
}
