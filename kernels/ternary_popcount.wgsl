// TERNARY_POPCOUNT: ternary weights in two planes of bits, P where a weight has +1 and N where it has
// -1, times activations of one bit, X: 1 is +1 and 0 is -1. One invocation computes one row in one
// column by counts of bits: 2 (|P & X| - |N & X|) - |P| + |N|. All in integers.

@group(0) @binding(0) var<storage, read> P: array<u32>; // words for each row
@group(0) @binding(1) var<storage, read> N: array<u32>; // the same
@group(0) @binding(2) var<storage, read> X: array<u32>; // words for each column
@group(0) @binding(3) var<storage, read_write> O: array<i32>; // at col · rows + row

struct Params {
  words: u32, // of 32 elements, in a row and in a column
  rows: u32,
  pad0: u32,
  pad1: u32,
}
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.x;
  let col = id.y;
  if (row >= p.rows) {
    return;
  }
  var sum = 0;
  for (var i = 0u; i < p.words; i++) {
    let plus = P[row * p.words + i];
    let minus = N[row * p.words + i];
    let signs = X[col * p.words + i];
    let with_signs = i32(countOneBits(plus & signs)) - i32(countOneBits(minus & signs));
    sum += 2 * with_signs - i32(countOneBits(plus)) + i32(countOneBits(minus));
  }
  O[col * p.rows + row] = sum;
}
