/** The kernels of q1_projection within their bounds; the bounds against right and wrong kernels. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { Projection } from "../../cases/q1_projection/family.ts";
import { addF32, mulF32 } from "../../reference/f32.ts";
import { q1Projection, q1ProjectionDepth } from "../../reference/q1_projection.ts";
import { SMALLEST_NORMAL } from "../../reference/roundings.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { kernelNamed } from "../support/faults.ts";
import { adapterKind } from "../support/gpu.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const FAMILY = "q1_projection";
const OURS = KERNELS.filter(({ family }) => family === FAMILY).map(({ name }) => name);

function inputOf(address: string): Projection {
  const { family, parsed } = caseAt(address);
  return family.input(parsed);
}

for (const name of OURS) {
  Deno.test(`${name} is within its bounds, and uses some of them`, async () => {
    const results = await resultsOf(kernelNamed(name), smallCases(FAMILY));
    expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
    expect(results.length).toBeGreaterThan(45);
    const shares = results.map(({ verdict }) => verdict.kind === "pass" ? verdict.share! : NaN);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    expect(Math.max(...shares)).toBeGreaterThan(0.05);
  });
}

for (const workgroup of [8, 24, 128]) {
  for (const name of ["Q1_PROJECT", "Q1_LUT4"]) {
    Deno.test(`${name} is right at workgroup ${workgroup}, a power of two or not`, async () => {
      const tiles = smallCases(FAMILY).filter(({ parsed }) => parsed.group === "tile");
      const results = await resultsOf(kernelNamed(name), tiles, workgroup);
      expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
      expect(results.length).toBeGreaterThan(20);
    });
  }
}

Deno.test("rows of a layer that repeat are held by the bounds of those that they repeat", async () => {
  const layer = caseAt("q1_projection/layer:model=1.7B,matrix=attn_k,cols=1,seed=401");
  const input: Projection = layer.family.input(layer.parsed);
  const stored = layer.family.reference(input);
  expect(stored.length).toBe(3 * 251);
  const { values } = layer.family.bounds!(stored, input);
  expect([values.length, values[251], values[1023]]).toEqual([
    1024,
    values[0],
    values[1023 - 1004],
  ]);
  const results = await resultsOf(kernelNamed("Q1_PROJECT"), [layer]);
  expect(results.map(({ verdict }) => verdict.kind)).toEqual(["pass"]);
});

/** x · 2^149, for an f32. */
function integerOf(x: number): bigint {
  const shift = Math.max(0, 149 - 1100 + Math.ceil(Math.log2(Math.abs(x) || 1)));
  return BigInt(x * 2 ** (149 - shift)) << BigInt(shift);
}

Deno.test("the f64 values are those of exact integers, to 2^-40 of the terms' size", () => {
  for (
    const { address } of smallCases(FAMILY).filter(({ address }) => !/scales=nan/.test(address))
  ) {
    const { n, scales, signs, x } = inputOf(address);
    const found = q1Projection({ n, scales, signs, x: x.subarray(0, n) }).values[0]!;
    let sum = 0n, size = 0n;
    for (let j = 0; j < n; j++) {
      const term = integerOf(scales[j >> 5]!) * integerOf(x[j]!);
      sum += (signs[j >> 5]! >>> (j & 31) & 1) === 1 ? term : -term;
      size += term < 0n ? -term : term;
    }
    // Compared in units of 2^-298; 40 further bits of the value, as far as a double has them.
    const scaled = BigInt(Math.round(found * 2 ** 600)) >> 302n;
    const off = scaled > sum ? scaled - sum : sum - scaled;
    expect({ address, isRight: off << 40n <= size + (1n << 41n) }).toEqual({
      address,
      isRight: true,
    });
  }
});

type Step = (x: number) => number;
const kept: Step = (x) => x;
const flushed: Step = (x) => Math.abs(x) < SMALLEST_NORMAL ? 0 : x;

/** How the sums of blocks are joined. */
type Joining = (terms: number[], add: (a: number, b: number) => number) => number;
const inTurn: Joining = (terms, add) => terms.reduce(add);
const inPairs: Joining = (terms, add) =>
  terms.length === 1 ? terms[0]! : inPairs(
    Array.from(
      { length: Math.ceil(terms.length / 2) },
      (_, i) => 2 * i + 1 < terms.length ? add(terms[2 * i]!, terms[2 * i + 1]!) : terms[2 * i]!,
    ),
    add,
  );

/** A right kernel of the first column, rounded to f32 at every step; what is subnormal is `seen` so. */
function rounded({ n, scales, signs, x }: Projection, chains: number, join: Joining, seen: Step) {
  const blocks = n / 32, rows = scales.length / blocks;
  const add = (a: number, b: number) => seen(addF32(seen(a), seen(b)));
  return new Uint32Array(
    Float32Array.from({ length: rows }, (_, row) => {
      const sums = new Array<number>(Math.min(chains, blocks)).fill(0);
      for (let b = 0; b < blocks; b++) {
        const at = row * blocks + b;
        let sum = 0;
        for (let q = 0; q < 32; q += 4) {
          const four = [0, 1, 2, 3].map((j) =>
            (signs[at]! >>> (q + j) & 1) === 1 ? x[32 * b + q + j]! : -x[32 * b + q + j]!
          );
          sum = add(sum, four.reduce(add));
        }
        sums[b % chains] = add(sums[b % chains]!, seen(mulF32(seen(scales[at]!), seen(sum))));
      }
      return join(sums, add);
    }).buffer,
  );
}

Deno.test("right kernels of every order allowed are within the bound, flushing or not", () => {
  let largest = 0;
  for (const { address, family } of smallCases(FAMILY)) {
    const input = inputOf(address);
    const { n, scales, signs, x } = input;
    const bounds = q1Projection({ n, scales, signs, x: x.subarray(0, n) });
    for (const seen of [kept, flushed]) {
      for (const [chains, join] of [[64, inTurn], [64, inPairs], [8, inPairs]] as const) {
        const share = largestShare(bounds, [rounded(input, chains, join, seen)]);
        expect({ address, family: family.name, isWithin: share <= 1 })
          .toEqual({ address, family: FAMILY, isWithin: true });
        largest = Math.max(largest, share);
      }
    }
  }
  expect(largest).toBeGreaterThan(0.1);
});

Deno.test("a bound is its roundings and no more, and 0 where nothing can be rounded", () => {
  expect([32, 64, 2048, 12_288].map(q1ProjectionDepth)).toEqual([11, 12, 74, 79]);
  const ordinary = "q1_projection/tile:rows=6,n=2048,cols=2,seed=301";
  const { n, scales, signs, x } = inputOf(ordinary);
  const { bounds } = q1Projection({ n, scales, signs, x: x.subarray(0, n) });
  let size = 0;
  for (let j = 0; j < n; j++) size += Math.abs(scales[j >> 5]! * x[j]!);
  expect(bounds[0]! / (size * 74 * 2 ** -24)).toBeCloseTo(1, 3);
  const edge = (fills: string) => {
    const input = inputOf(`q1_projection/edge:rows=9,n=320,cols=1,${fills},seed=1`);
    return q1Projection(input).bounds;
  };
  expect(Math.max(...edge("signs=random,scales=powers,x=integers"))).toBe(0);
  expect(Math.max(...edge("signs=plus,scales=ones,x=cancel"))).toBe(0);
  for (const other of ["scales=layer,x=integers", "scales=powers,x=hidden", "scales=ones,x=tiny"]) {
    expect(Math.min(...edge(`signs=random,${other}`))).toBeGreaterThan(0);
  }
});

Deno.test("integers whose sums outgrow 24 bits are rounded, and have a bound", () => {
  const one = { n: 32, scales: Float32Array.of(1), signs: Uint32Array.of(0xffffffff) };
  const of = (value: number) =>
    q1Projection({ ...one, x: new Float32Array(32).fill(value).fill(1, 31) }).bounds[0]!;
  expect(of(2 ** 19)).toBe(0);
  expect(of(2 ** 20)).toBeGreaterThan(0);
});

Deno.test("what cannot be bounded is refused, and NaN is NaN", () => {
  const signs = Uint32Array.of(1);
  const of = (scale: number, x: number) =>
    q1Projection({
      n: 32,
      scales: Float32Array.of(scale),
      signs,
      x: new Float32Array(32).fill(x),
    });
  for (const [scale, x] of [[1, 2 ** 122], [2 ** 70, 2 ** 60], [Infinity, 0], [1, -Infinity]]) {
    expect(() => of(scale!, x!)).toThrow(/^Cannot bound row 0: its sums may overflow in block 0/);
  }
  for (const [scale, x] of [[NaN, 1], [1, NaN]]) {
    expect(of(scale!, x!)).toEqual({ values: Float64Array.of(NaN), bounds: Float64Array.of(0) });
  }
  for (const n of [0, 31, 48, 16_416]) {
    expect(() => q1ProjectionDepth(n)).toThrow(/^Cannot bound rows of/);
  }
  expect(() => caseAt("q1_projection/tile:rows=1,n=33,cols=1,seed=1"))
    .toThrow(/n is 33, and must be a multiple of 32/);
});

const PROJECT: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the scale of the neighbouring block",
    replace: [["vec4<f32>(S[at.x],", "vec4<f32>(S[select(at.x, at.x ^ 1u, b + 1u < p.nb)],"]],
    on: /tile:/,
  },
  {
    name: "one sign of the third word of a row turned",
    replace: [["vec4<u32>(W[at.x],", "vec4<u32>(W[at.x] ^ select(0u, 0x100u, b == 2u),"]],
    on: /n=2048/,
  },
  {
    name: "the last block dropped",
    replace: [["b < p.nb;", "b < p.nb - 1u;"]],
    on: /n=6144/,
  },
  {
    name: "one row's activations shifted by four",
    replace: [[
      "dot(widened(words.w, q), x)",
      "dot(widened(words.w, q), X[(col * p.nb + b) * 8u + (q + 1u) % 8u])",
    ]],
    on: /n=2048/,
  },
  {
    name: "a tail's row written by the wrong invocation",
    replace: [["sums[0][local]", "sums[0][select(local, 0u, first + local + 1u == p.rows)]"]],
    on: /rows=[37],/,
  },
  {
    name: "the last row past the end written too",
    replace: [["first + local < p.rows", "first + local <= p.rows"]],
    on: /rows=[13579],.*cols=1/,
  },
  {
    name: "the next column's activations in all but the first",
    replace: [["let x = X[(col * p.nb", "let x = X[(min(col, 1u) * p.nb"]],
    on: /cols=3/,
  },
  {
    name: "one invocation's sum lost where pairs are joined",
    replace: [["if (local + half < left)", "if (local + half + 1u < left || left == 2u)"]],
    on: /n=2048/,
  },
  {
    name: "activations rounded to f16",
    replace: [[
      "let x = X[(col * p.nb + b) * 8u + q];",
      "let full = X[(col * p.nb + b) * 8u + q];\n    let x = vec4<f32>(" +
      "unpack2x16float(pack2x16float(full.xy)), unpack2x16float(pack2x16float(full.zw)));",
    ]],
    on: /n=(32|64|96),/,
  },
  {
    name: "signs in the order of bytes turned",
    replace: [["word >> (4u * q)", "word >> ((4u * q) ^ 24u)"]],
    on: /tile:/,
  },
];

const LUT4: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the scale of the neighbouring block",
    replace: [["S[at] * block", "S[select(at, at ^ 1u, first + b + 1u < p.nb)] * block"]],
    on: /tile:/,
  },
  {
    name: "one sign of the third word of a row turned",
    replace: [["let word = W[at];", "let word = W[at] ^ select(0u, 0x100u, first + b == 2u);"]],
    on: /n=2048/,
  },
  {
    name: "the last block dropped",
    replace: [["b < blocks;", "b < blocks - select(0u, 1u, first + blocks == p.nb);"]],
    on: /n=6144/,
  },
  {
    name: "one row's activations shifted by four",
    replace: [["8u * b + q)", "8u * b + (q + select(0u, 1u, row == 3u)) % 8u)"]],
    on: /n=2048/,
  },
  {
    name: "a tail's row written by the wrong invocation",
    replace: [[
      "p.rows + row] = sum",
      "p.rows + row - select(0u, 1u, row + 1u == p.rows && row > 0u)] = sum",
    ]],
    on: /rows=(3|65),/,
  },
  {
    name: "a column past the end written too",
    replace: [["col + c < p.cols", "col + c <= p.cols"]],
    on: /cols=[123]/,
  },
  {
    name: "the negative not taken where the first sign is -",
    replace: [["select(-sum, sum, is_added)", "sum"]],
    on: /tile:/,
  },
  {
    name: "the others' signs not turned with it",
    replace: [["select(~signs, signs, is_added) >> 1u", "signs >> 1u"]],
    on: /tile:/,
  },
  {
    name: "one entry of the table wrong",
    replace: [["table[entry] =", "table[select(entry, 0u, entry == 4u)] ="]],
    on: /n=32,|n=64,/,
  },
  {
    name: "eight blocks counted again with the next ones",
    replace: [["sum += eight;\n      eight = vec4<f32>(0.0);", "sum += eight;"]],
    on: /n=(288|320|2048)/,
  },
  {
    name: "the table of the first chunk in all",
    replace: [["let place = first * 8u +", "let place ="]],
    on: /n=(288|320|2048)/,
  },
  {
    name: "the third of several columns read twice",
    replace: [["dot(signs, X[at.w])", "dot(signs, X[at.z])"]],
    on: /cols=[45]/,
  },
];

const SUBGROUP: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the last subgroup's sum left out",
    replace: [["i < subgroups;", "i < subgroups - 1u;"]],
    on: /n=2048/,
  },
  {
    name: "every subgroup's sum at the first place",
    replace: [["sums[subgroup] = joined", "sums[0] = joined"]],
    on: /n=2048/,
  },
  {
    name: "the last block dropped",
    replace: [["b < p.nb;", "b < p.nb - 1u;"]],
    on: /n=6144/,
  },
  {
    name: "one sign of the third word of a row turned",
    replace: [["vec4<u32>(W[at.x],", "vec4<u32>(W[at.x] ^ select(0u, 0x100u, b == 2u),"]],
    on: /n=2048/,
  },
];

/** Races: on adapters that take turns in a known way they show each time, on a card perhaps not. */
const RACES: readonly Planted[] = [
  {
    kernel: "Q1_PROJECT",
    name: "sums joined before all are there",
    replace: [["sums[local] = mine;\n  workgroupBarrier();", "sums[local] = mine;"]],
    on: /n=2048/,
  },
  {
    kernel: "Q1_LUT4",
    name: "the table read before all of it is written",
    replace: [["workgroupBarrier();\n    for (var b", "for (var b"]],
    on: /n=(320|2048)/,
  },
  {
    kernel: "Q1_LUT4",
    name: "the next table written while this one is read",
    replace: [["    }\n    workgroupBarrier();\n  }\n  sum", "    }\n  }\n  sum"]],
    on: /n=(320|2048)/,
  },
];
if (await adapterKind() === "llvmpipe" || await adapterKind() === "swiftshader") {
  testFaults(FAMILY, RACES);
}

testFaults(FAMILY, [
  ...SUBGROUP.map((fault) => ({ ...fault, kernel: "Q1_PROJECT_SUBGROUP" })),
  ...PROJECT.map((fault) => ({ ...fault, kernel: "Q1_PROJECT" })),
  ...LUT4.map((fault) => ({ ...fault, kernel: "Q1_LUT4" })),
]);
