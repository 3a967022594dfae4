// LM_HEAD: the place of the first of the largest logits, which are 1-bit weights with a scale for every
// 32 times columns of f32. Workgroups compute four logits as Q1_PROJECT does and keep the best of them,
// and one workgroup a column joins what they found, as ARGMAX does: no logit leaves.

@group(0) @binding(0) var<storage, read> S: array<f32>; // scales: nb for each row
@group(0) @binding(1) var<storage, read> W: array<u32>; // signs: a word for each scale, 1 for +
@group(0) @binding(2) var<storage, read> X: array<vec4<f32>>; // activations: 8 nb for each column
@group(0) @binding(3) var<storage, read_write> O: array<u32>; // a place for each column
@group(0) @binding(5) var<storage, read_write> found: array<Best>; // by `part`, parts for each column
@group(0) @binding(6) var<storage, read> parts: array<Best>; // the same, for `join`

struct Params {
  rows: u32,
  nb: u32, // blocks in a row
  cols: u32,
  parts: u32, // workgroups of `part` in a column
}
@group(0) @binding(4) var<uniform> p: Params;

override WG: u32 = 64u; // invocations in a workgroup

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

var<workgroup> sums: array<vec4<f32>, WG>;

// The sums of the whole workgroup, in sums[0]. Every invocation must call it.
fn join_sums(mine: vec4<f32>, local: u32) {
  sums[local] = mine;
  workgroupBarrier();
  for (var left = WG; left > 1u; left = (left + 1u) / 2u) {
    let half = (left + 1u) / 2u;
    if (local + half < left) {
      sums[local] += sums[local + half];
    }
    workgroupBarrier();
  }
}

struct Best {
  rank: u32,
  place: u32,
}

// Ascending with the value: 0 for NaN, then -infinity; -0 as +0.
fn rank_of(bits: u32) -> u32 {
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) {
    return 0u;
  }
  if (size == 0u || bits < 0x80000000u) {
    return size | 0x80000000u;
  }
  return ~bits;
}

// The larger; of equal ones the first.
fn better(a: Best, b: Best) -> Best {
  if (b.rank > a.rank || (b.rank == a.rank && b.place < a.place)) {
    return b;
  }
  return a;
}

var<workgroup> shared_best: array<Best, WG>;

// The best of the workgroup, in invocation 0. Every invocation must call it.
fn best_of_all(mine: Best, local: u32) -> Best {
  shared_best[local] = mine;
  workgroupBarrier();
  for (var left = WG; left > 1u; left = (left + 1u) / 2u) {
    let half = (left + 1u) / 2u;
    if (local + half < left) {
      shared_best[local] = better(shared_best[local], shared_best[local + half]);
    }
    workgroupBarrier();
  }
  return shared_best[0];
}

// No logit: worse than all, a NaN at place 0 too.
fn nothing() -> Best {
  return Best(0u, 0xffffffffu);
}

@compute @workgroup_size(WG)
fn part(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = 4u * group.x;
  let col = group.y;
  var sum = vec4<f32>(0.0);
  for (var b = local; b < p.nb; b += WG) {
    sum += block_of_four(first, col, b);
  }
  join_sums(sum, local);
  if (local == 0u) {
    var best = nothing();
    for (var i = 0u; i < 4u && first + i < p.rows; i++) {
      best = better(best, Best(rank_of(bitcast<u32>(sums[0][i])), first + i));
    }
    found[col * p.parts + group.x] = best;
  }
}

@compute @workgroup_size(WG)
fn join(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let col = group.y;
  var best = nothing();
  for (var i = local; i < p.parts; i += WG) {
    best = better(best, parts[col * p.parts + i]);
  }
  best = best_of_all(best, local);
  if (local == 0u) {
    O[col] = best.place;
  }
}
