// ARGMAX: the place of the first of the largest of n logits, for each column. A tree: workgroups
// find the best of 16 logits an invocation each, and one workgroup a column joins what they found.
// Values are compared as integers, so that NaN, subnormals and both zeros are the same everywhere.

@group(0) @binding(0) var<storage, read> X: array<u32>; // f32 bits, n for each column
@group(0) @binding(1) var<storage, read_write> found: array<Best>; // by `part`, parts for each column
@group(0) @binding(2) var<storage, read> parts: array<Best>; // the same, for `join`
@group(0) @binding(3) var<storage, read_write> O: array<u32>; // a place for each column

struct Params {
  n: u32,
  parts: u32, // workgroups of `part` in a column
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(4) var<uniform> p: Params;

override WG: u32 = 64u; // invocations in a workgroup

const EACH = 16u; // logits of one invocation

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
  let col = group.y;
  var best = nothing();
  for (var i = 0u; i < EACH; i++) {
    // Neighbours read neighbours.
    let place = (group.x * EACH + i) * WG + local;
    if (place < p.n) {
      best = better(best, Best(rank_of(X[col * p.n + place]), place));
    }
  }
  best = best_of_all(best, local);
  if (local == 0u) {
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
