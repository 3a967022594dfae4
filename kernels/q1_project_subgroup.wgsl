// Q1_PROJECT_SUBGROUP: as Q1_PROJECT, but the sums of a workgroup's invocations are joined by
// subgroupAdd, in the order that the device likes, and then those of its subgroups in turn. Needs the
// feature subgroups; no `enable` stands here, since naga refuses it where Tint demands it.

@group(0) @binding(0) var<storage, read> S: array<f32>; // scales: nb for each row
@group(0) @binding(1) var<storage, read> W: array<u32>; // signs: a word for each scale, 1 for +
@group(0) @binding(2) var<storage, read> X: array<vec4<f32>>; // activations: 8 nb for each column
@group(0) @binding(3) var<storage, read_write> O: array<f32>; // rows for each column

struct Params {
  rows: u32,
  nb: u32, // blocks in a row
  cols: u32,
  pad0: u32,
}
@group(0) @binding(4) var<uniform> p: Params;

const WG = 64u; // invocations in a workgroup

// Signs 4q to 4q + 3 of a block, as +1 and -1.
fn widened(word: u32, q: u32) -> vec4<f32> {
  let bits = vec4<u32>(word >> (4u * q)) & vec4<u32>(1u, 2u, 4u, 8u);
  return select(vec4<f32>(-1.0), vec4<f32>(1.0), bits != vec4<u32>(0u));
}

// Four rows from `first` on, in block b of their column.
fn block_of_four(first: u32, col: u32, b: u32) -> vec4<f32> {
  // A row past the end is the last one again, and not written.
  let row = min(vec4<u32>(first) + vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(p.rows - 1u));
  let at = row * p.nb + vec4<u32>(b);
  let words = vec4<u32>(W[at.x], W[at.y], W[at.z], W[at.w]);
  var sum = vec4<f32>(0.0);
  for (var q = 0u; q < 8u; q++) {
    let x = X[(col * p.nb + b) * 8u + q];
    sum += vec4<f32>(
      dot(widened(words.x, q), x),
      dot(widened(words.y, q), x),
      dot(widened(words.z, q), x),
      dot(widened(words.w, q), x),
    );
  }
  return vec4<f32>(S[at.x], S[at.y], S[at.z], S[at.w]) * sum;
}

// At the place of a subgroup; no more than there are invocations.
var<workgroup> sums: array<vec4<f32>, WG>;

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
  @builtin(subgroup_id) subgroup: u32,
  @builtin(num_subgroups) subgroups: u32,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  let first = 4u * group.x;
  let col = group.y;
  var sum = vec4<f32>(0.0);
  for (var b = local; b < p.nb; b += WG) {
    sum += block_of_four(first, col, b);
  }
  let joined = subgroupAdd(sum);
  if (lane == 0u) {
    sums[subgroup] = joined;
  }
  workgroupBarrier();
  if (local < 4u && first + local < p.rows) {
    var all = 0.0;
    for (var i = 0u; i < subgroups; i++) {
      all += sums[i][local];
    }
    O[col * p.rows + first + local] = all;
  }
}
