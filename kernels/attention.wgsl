// ATTENTION: one token's queries against all keys. `split` computes one range of the keys, tile after
// tile, with a running maximum; `merge` joins the ranges. A masked key has no weight; where no key is
// live the result is 0.
//
// Order of summation: a score in sixteen chains; weights and weighed values over a tile, key after key,
// then tile after tile, then split after split.

@group(0) @binding(0) var<storage, read> Q: array<vec4<f32>>; // FOURS for each head
@group(0) @binding(1) var<storage, read> K: array<vec4<f32>>; // FOURS for each head of each position
@group(0) @binding(2) var<storage, read> V: array<f32>; // HEAD for each head of each position
@group(0) @binding(3) var<storage, read> live: array<u32>; // 0 where a key is masked
// For each split of each head: HEAD weighed sums, the maximum, the sum of weights.
@group(0) @binding(4) var<storage, read_write> parts: array<f32>;
@group(0) @binding(5) var<storage, read> split_parts: array<f32>;
@group(0) @binding(6) var<storage, read_write> O: array<f32>; // HEAD for each head

struct Params {
  len: u32,
  splits: u32,
  kv: u32, // heads of keys
  shared_by: u32, // query heads to one of them
  scale: f32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}
@group(0) @binding(7) var<uniform> p: Params;

const HEAD = 128u;
const FOURS = 32u;
const TILE = 64u; // and invocations of a workgroup: two dimensions each
const PART = 130u;
const MAXIMUM = 128u;
const SUM = 129u;
// The maximum of no keys: below every score.
const NONE = -3.40282347e38;

var<workgroup> maxima: array<f32, TILE>;
var<workgroup> weights: array<f32, TILE>;

fn score_of(query: u32, key: u32) -> f32 {
  var sums = array<vec4<f32>, 4>();
  for (var i = 0u; i < FOURS; i += 4u) {
    sums[0] += Q[query + i] * K[key + i];
    sums[1] += Q[query + i + 1u] * K[key + i + 1u];
    sums[2] += Q[query + i + 2u] * K[key + i + 2u];
    sums[3] += Q[query + i + 3u] * K[key + i + 3u];
  }
  let four = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return ((four.x + four.y) + (four.z + four.w)) * p.scale;
}

// What weights are multiplied by when the maximum moves; nothing was weighed before the first one.
fn rescale(before: f32, after: f32) -> f32 {
  return select(exp(before - after), 0.0, before == NONE);
}

@compute @workgroup_size(TILE)
fn split(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let key_head = group.y / p.shared_by;
  let each = (p.len + p.splits - 1u) / p.splits;
  let first = min(group.x * each, p.len);
  let end = min(first + each, p.len);
  var maximum = NONE;
  var sum = 0.0;
  var output = vec2<f32>();
  for (var tile = first; tile < end; tile += TILE) {
    let key = tile + local;
    var score = NONE;
    if (key < end && live[key] != 0u) {
      score = score_of(group.y * FOURS, (key * p.kv + key_head) * FOURS);
    }
    maxima[local] = score;
    workgroupBarrier();
    for (var half = TILE / 2u; half > 0u; half /= 2u) {
      if (local < half) {
        maxima[local] = max(maxima[local], maxima[local + half]);
      }
      workgroupBarrier();
    }
    let highest = max(maximum, maxima[0]);
    weights[local] = select(exp(score - highest), 0.0, score == NONE);
    workgroupBarrier();
    var tile_sum = 0.0;
    var tile_output = vec2<f32>();
    for (var i = 0u; i < min(TILE, end - tile); i++) {
      let at = ((tile + i) * p.kv + key_head) * HEAD + local;
      tile_sum += weights[i];
      tile_output += weights[i] * vec2<f32>(V[at], V[at + TILE]);
    }
    if (highest > maximum) {
      let factor = rescale(maximum, highest);
      sum *= factor;
      output *= factor;
    }
    sum += tile_sum;
    output += tile_output;
    maximum = highest;
  }
  let part = (group.y * p.splits + group.x) * PART;
  parts[part + local] = output.x;
  parts[part + local + TILE] = output.y;
  if (local == 0u) {
    parts[part + MAXIMUM] = maximum;
    parts[part + SUM] = sum;
  }
}

@compute @workgroup_size(TILE)
fn merge(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = group.x * p.splits * PART;
  var highest = NONE;
  for (var i = 0u; i < p.splits; i++) {
    highest = max(highest, split_parts[first + i * PART + MAXIMUM]);
  }
  var sum = 0.0;
  var output = vec2<f32>();
  for (var i = 0u; i < p.splits; i++) {
    let part = first + i * PART;
    let factor = rescale(split_parts[part + MAXIMUM], highest);
    sum += factor * split_parts[part + SUM];
    output += factor * vec2<f32>(split_parts[part + local], split_parts[part + local + TILE]);
  }
  let divisor = select(sum, 1.0, highest == NONE);
  O[group.x * HEAD + local] = output.x / divisor;
  O[group.x * HEAD + local + TILE] = output.y / divisor;
}
