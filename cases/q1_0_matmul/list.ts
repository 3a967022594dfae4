/**
 * The cases of `q1_0_matmul` by group.
 *
 * @module
 */
import { addressOf } from "../address.ts";
import { BONSAI } from "../bonsai.ts";

export const FAMILY = "q1_0_matmul";

/** The engine's own test is the first: 256 rows of 2,048 weights, seed 1, five columns. */
const RANDOM: readonly [rows: number, n: number, cols: number, seed: number][] = [
  [256, 2048, 5, 1],
  [256, 2048, 5, 2],
  [256, 2048, 1, 3],
  [64, 4096, 4, 4],
  [64, 1024, 9, 5],
  [100, 768, 3, 6],
  [37, 640, 7, 7],
  [512, 256, 2, 8],
  [16, 6144, 2, 9],
  [300, 128, 8, 10],
];

// Around the sizes of a workgroup (32, 64, 128 invocations), in rows of one invocation (Q1_DOT) and
// in rows of eight (4, 8 and 16 rows a workgroup).
const TILE_ROWS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
// Around the tile of four columns.
const TILE_COLS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17];
// One block, two, and odd numbers of blocks.
const TILE_N = [128, 256, 384, 640];

const WEIGHT_SCALES = [
  "any",
  "zero",
  "negative_zero",
  "zeros",
  "subnormal",
  "smallest",
  "tiny",
  "huge",
  "largest",
  "negative",
  "one",
  "infinite",
  "nan",
  "special",
];
const SIGN_FILLS = ["ones", "zeros", "alternate", "one_hot"];
const QUANT_FILLS = ["any", "m128", "p127", "zero", "one_hot"];
/** Infinities, NaN and zeros, in the weights and in the activations. */
const SAME_LANES: readonly (readonly [w: string, a: string])[] = [
  ["engine", "infinite"],
  ["infinite", "engine"],
  ["infinite", "any"],
  ["infinite", "infinite"],
  ["zeros", "infinite"],
  ["zeros_infinite", "engine"],
  ["zeros_infinite", "zeros_infinite"],
  ["special", "engine"],
  ["engine", "special"],
  ["quiet_nan", "engine"],
  ["engine", "quiet_nan"],
];
/** n from one block to more than any model's, with odd and even numbers of blocks. */
const LONG_N = [128, 384, 1024, 3968, 4096, 4224, 8192, 12_288, 16_256, 16_384];

interface Edge {
  rows?: number;
  n?: number;
  cols?: number;
  w?: string;
  signs?: string;
  a?: string;
  quants?: string;
}

const edge = (seed: number, given: Edge) =>
  addressOf(FAMILY, "edge", {
    rows: 9,
    n: 256,
    cols: 5,
    w: "engine",
    signs: "random",
    a: "engine",
    quants: "engine",
    ...given,
    seed,
  });

function randomCases(): string[] {
  return RANDOM.map(([rows, n, cols, seed]) =>
    addressOf(FAMILY, "random", { rows, n, cols, seed })
  );
}

/** Every row count with two column counts, every column count with every n. */
function tileCases(): string[] {
  const shapes = new Set<string>();
  TILE_ROWS.forEach((rows, i) => {
    for (const cols of [TILE_COLS[i % 11]!, TILE_COLS[(i + 4) % 11]!, TILE_COLS[(i + 7) % 11]!]) {
      shapes.add([rows, TILE_N[i % 4], cols].join());
    }
  });
  TILE_COLS.forEach((cols, i) => {
    for (const n of TILE_N) shapes.add([TILE_ROWS[(3 * i + n / 128) % 20], n, cols].join());
  });
  return [...shapes].map((shape, i) => {
    const [rows, n, cols] = shape.split(",") as [string, string, string];
    return addressOf(FAMILY, "tile", { rows, n, cols, seed: 1000 + i });
  });
}

/** Rows whose last blocks are one to seven after two wholes of eight: kernels hold some at a time. */
function segmentCases(): string[] {
  return [17, 18, 19, 20, 21, 22, 23, 33].map((blocks) =>
    addressOf(FAMILY, "tile", { rows: 40, n: 128 * blocks, cols: 2, seed: 1200 + blocks })
  );
}

function edgeCases(): string[] {
  const list: Edge[] = [];
  for (const kind of WEIGHT_SCALES) {
    list.push({ w: kind }, { a: kind }, { w: kind, a: kind, n: 384 });
  }
  for (const signs of SIGN_FILLS) {
    list.push({ signs }, { signs, quants: "m128" }, { signs, a: "negative", n: 384 });
  }
  for (const quants of QUANT_FILLS) {
    list.push({ quants }, { quants, signs: "ones" }, { quants, w: "any", a: "any", n: 640 });
  }
  list.push(
    // Infinity times zero, and infinity minus infinity in a lane and between lanes.
    { w: "infinite", quants: "zero" },
    { a: "infinite", quants: "zero" },
    { w: "infinite", a: "zeros" },
    { w: "infinite", a: "infinite", rows: 33, cols: 4 },
    { a: "infinite", n: 2048, rows: 16 },
    { w: "nan", a: "infinite", signs: "ones" },
    // The largest sum there is, and the smallest step.
    { w: "largest", a: "largest", quants: "m128", n: 4096 },
    { w: "smallest", a: "smallest", quants: "one_hot", n: 4096 },
    { w: "subnormal", a: "largest", quants: "any", n: 1024 },
    { w: "largest", a: "subnormal", quants: "any", n: 1024 },
  );
  for (const n of LONG_N) list.push({ n, rows: 5, cols: 3 }, { n, rows: 3, w: "any", a: "any" });
  // All lanes the same, so that no lane's NaN hides what another one does with an infinity.
  for (const [w, a] of SAME_LANES) {
    list.push({ w, a, signs: "ones", quants: "p127", rows: 33, n: 384, cols: 6 });
    list.push({ w, a, signs: "ones", quants: "p127", rows: 33, n: 128, cols: 6 });
  }
  return list.map((given, i) => edge(2000 + i, given));
}

function pairCases(group: "cancel" | "trap", firstSeed: number): string[] {
  const shapes: [rows: number, n: number, cols: number][] = [
    [1, 256, 1],
    [8, 256, 8],
    [33, 256, 8],
    [64, 512, 9],
    [65, 768, 4],
    [17, 1024, 17],
    [129, 256, 3],
    [16, 2048, 8],
    [12, 4096, 8],
    [9, 6144, 5],
    [4, 12_288, 8],
    [3, 16_384, 8],
  ];
  return shapes.map(([rows, n, cols], i) =>
    addressOf(FAMILY, group, { rows, n, cols, seed: firstSeed + i })
  );
}

/** Columns: each of the six kinds of near-tie in several lanes. */
function oddCases(): string[] {
  const shapes = [[1, 256, 6], [8, 256, 12], [33, 256, 6], [16, 512, 48], [5, 2048, 24]] as const;
  return shapes.map(([rows, n, cols], i) =>
    addressOf(FAMILY, "odd", { rows, n, cols, seed: 5000 + i })
  );
}

/** Columns: finite and infinite activations, lanes alike and one that is not. */
function infiniteCases(): string[] {
  const shapes = [[1, 128, 8], [9, 256, 8], [34, 640, 32], [3, 2048, 16]] as const;
  return shapes.map(([rows, n, cols], i) =>
    addressOf(FAMILY, "infinite", { rows, n, cols, seed: 6000 + i })
  );
}

function layerCases(): string[] {
  const list: string[] = [];
  for (const [model, matrices] of Object.entries(BONSAI)) {
    for (const matrix of Object.keys(matrices)) {
      list.push(addressOf(FAMILY, "layer", { model, matrix, cols: 1, seed: 1 }));
    }
  }
  // A few prompt tokens at once: full tiles of four columns, and one column in the last tile.
  for (const matrix of ["attn_k", "ffn_gate"]) {
    list.push(addressOf(FAMILY, "layer", { model: "1.7B", matrix, cols: 5, seed: 2 }));
  }
  return list;
}

/** One matrix of each shape of the smallest and the largest model, every row another one. */
function fullCases(): string[] {
  const shapes = new Set<string>();
  return ["1.7B", "8B"].flatMap((model) =>
    Object.entries(BONSAI[model]!)
      .filter(([, { rows, n }]) => shapes.size < shapes.add(`${rows} × ${n}`).size)
      .map(([matrix]) => addressOf(FAMILY, "full", { model, matrix, cols: 1, seed: 3 }))
  );
}

/** Every address that a generator draws; those of real models' rows stand beside the goldens. */
export function q1Addresses(): string[] {
  return [
    ...randomCases(),
    ...tileCases(),
    ...segmentCases(),
    ...edgeCases(),
    ...pairCases("cancel", 3000),
    ...pairCases("trap", 4000),
    ...oddCases(),
    ...infiniteCases(),
    ...layerCases(),
    ...fullCases(),
  ];
}

/**
 * Eight matrices of the smallest and the largest model: a token's, and one for five tokens at once,
 * where a tile of columns can pay.
 */
export function q1TimedAddresses(): string[] {
  const layer = (model: string, matrix: string, cols = 1) =>
    addressOf(FAMILY, "layer", { model, matrix, cols, seed: cols === 1 ? 1 : 2 });
  return [
    layer("1.7B", "attn_q"),
    layer("1.7B", "ffn_gate"),
    layer("1.7B", "ffn_gate", 5),
    layer("1.7B", "ffn_down"),
    layer("1.7B", "output"),
    layer("8B", "attn_q"),
    layer("8B", "ffn_gate"),
    layer("8B", "ffn_down"),
  ];
}
