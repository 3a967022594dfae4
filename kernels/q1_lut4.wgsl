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

const CHUNK = 2u; // blocks whose sums stand in the table together
const ENTRIES = 128u; // eight of each four in them; more take some compilers seconds to set to zero

// Entry 8 f + k: the sums of four f in each of the columns; the first of the four is added, and bits
// 0, 1, 2 of k say which of the others are.
var<workgroup> table: array<vec4<f32>, ENTRIES>;

// Signs 4q to 4q + 3 of a block, as +1 and -1.
fn widened(word: u32, q: u32) -> vec4<f32> {
  let bits = vec4<u32>(word >> (4u * q)) & vec4<u32>(1u, 2u, 4u, 8u);
  return select(vec4<f32>(-1.0), vec4<f32>(1.0), bits != vec4<u32>(0u));
}

// Of the chunk that begins with block `first`. Columns past the end are the last one again, and not
// written.
fn fill_entry(entry: u32, first: u32, col: u32) {
  let signs = widened(((entry & 7u) << 1u) | 1u, 0u);
  let place = first * 8u + (entry >> 3u);
  let column = min(vec4<u32>(col) + vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(p.cols - 1u));
  let at = column * (p.nb * 8u) + vec4<u32>(place);
  table[entry] = vec4<f32>(
    dot(signs, X[at.x]),
    dot(signs, X[at.y]),
    dot(signs, X[at.z]),
    dot(signs, X[at.w]),
  );
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
  var eight = vec4<f32>(0.0); // blocks, at most
  for (var first = 0u; first < p.nb; first += CHUNK) {
    let blocks = min(CHUNK, p.nb - first);
    for (var entry = local; entry < 64u * blocks; entry += WG) {
      fill_entry(entry, first, col);
    }
    workgroupBarrier();
    for (var b = 0u; b < blocks; b++) {
      let at = held * p.nb + first + b;
      let word = W[at];
      var block = vec4<f32>(0.0);
      for (var q = 0u; q < 8u; q++) {
        block += looked_up(word >> (4u * q), 8u * b + q);
      }
      eight += S[at] * block;
    }
    if ((first + CHUNK) % 8u == 0u) {
      sum += eight;
      eight = vec4<f32>(0.0);
    }
    workgroupBarrier();
  }
  sum += eight;
  if (row < p.rows) {
    for (var c = 0u; c < 4u && col + c < p.cols; c++) {
      O[(col + c) * p.rows + row] = sum[c];
    }
  }
}
