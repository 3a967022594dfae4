// Q1_LUT4: 1-bit weights with a scale for every 32, times columns of f32, for many columns. A workgroup
// computes WG rows in four columns. For each four activations the sums of all their signs stand once in
// workgroup memory, eight of them, since the other eight are their negatives; four weights are then one
// read for four columns. Order of summation: four, then eight of these, then eight blocks, then these.

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

override WG: u32 = 64u; // invocations in a workgroup, and rows

const CHUNK = 8u; // blocks whose sums stand in the table together

// Entry 8 f + k: the sums of four f in each of the columns; the first of the four is added, and bits
// 0, 1, 2 of k say which of the others are.
var<workgroup> table: array<vec4<f32>, 512>;

// The columns' fours f of the chunk. Columns past the end are the last one again, and not written.
fn fill_table(f: u32, first: u32, col: u32) {
  let place = first * 8u + f;
  let last = p.cols - 1u;
  let a = X[min(col, last) * p.nb * 8u + place];
  let b = X[min(col + 1u, last) * p.nb * 8u + place];
  let c = X[min(col + 2u, last) * p.nb * 8u + place];
  let d = X[min(col + 3u, last) * p.nb * 8u + place];
  let x0 = vec4<f32>(a.x, b.x, c.x, d.x);
  let x1 = vec4<f32>(a.y, b.y, c.y, d.y);
  let x2 = vec4<f32>(a.z, b.z, c.z, d.z);
  let x3 = vec4<f32>(a.w, b.w, c.w, d.w);
  let at = 8u * f;
  table[at] = (x0 - x1) - (x2 + x3);
  table[at + 1u] = (x0 + x1) - (x2 + x3);
  table[at + 2u] = (x0 - x1) + (x2 - x3);
  table[at + 3u] = (x0 + x1) + (x2 - x3);
  table[at + 4u] = (x0 - x1) - (x2 - x3);
  table[at + 5u] = (x0 + x1) - (x2 - x3);
  table[at + 6u] = (x0 - x1) + (x2 + x3);
  table[at + 7u] = (x0 + x1) + (x2 + x3);
}

// Four f of the chunk with the lowest four signs of a word.
fn looked_up(signs: u32, f: u32) -> vec4<f32> {
  let is_added = (signs & 1u) != 0u;
  let others = (select(~signs, signs, is_added) >> 1u) & 7u;
  let sum = table[8u * f + others];
  return select(-sum, sum, is_added);
}

@compute @workgroup_size(WG)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let row = group.x * WG + local;
  let col = group.y * 4u;
  let held = min(row, p.rows - 1u);
  var sum = vec4<f32>(0.0);
  for (var first = 0u; first < p.nb; first += CHUNK) {
    let blocks = min(CHUNK, p.nb - first);
    for (var f = local; f < 8u * blocks; f += WG) {
      fill_table(f, first, col);
    }
    workgroupBarrier();
    var chunk = vec4<f32>(0.0);
    for (var b = 0u; b < blocks; b++) {
      let at = held * p.nb + first + b;
      let word = W[at];
      var block = vec4<f32>(0.0);
      for (var q = 0u; q < 8u; q++) {
        block += looked_up(word >> (4u * q), 8u * b + q);
      }
      chunk += S[at] * block;
    }
    sum += chunk;
    workgroupBarrier();
  }
  if (row < p.rows) {
    for (var c = 0u; c < 4u && col + c < p.cols; c++) {
      O[(col + c) * p.rows + row] = sum[c];
    }
  }
}
