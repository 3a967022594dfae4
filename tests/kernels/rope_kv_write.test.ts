/** ROPE_KV_WRITE within its bounds, what of the caches it may change, and faults that are noticed. */
import { expect } from "expect";
import { shareOfBound } from "../../cases/bounded.ts";
import { type Case, caseAt } from "../../cases/mod.ts";
import { cacheWords, placeOf, type RopeKvWriteInput } from "../../cases/rope_kv_write/input.ts";
import { HALF, rotationAt } from "../../cases/rotary.ts";
import { addF32, fmaF32, mulF32 } from "../../reference/f32.ts";
import { rope } from "../../reference/rope.ts";
import { diagnose } from "../../tools/diagnose/diagnose.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { fixed, times } from "../support/exact.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const CASES = smallCases("rope_kv_write");
const HEAD = 2 * HALF;
const inputOf = ({ family, parsed }: Case): RopeKvWriteInput => family.input(parsed);
const bitsOf = (values: Float32Array) => new Uint32Array(values.buffer);

Deno.test("ROPE_KV_WRITE is within its bounds, and uses some of them", async () => {
  const layer = caseAt(
    "rope_kv_write/layer:layers=2,len=20,heads=8,layer=1,position=19,fill=hidden,seed=400",
  );
  const results = await resultsOf(kernelNamed("ROPE_KV_WRITE"), [...CASES, layer]);
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBe(23);
  for (const { check, verdict } of results) {
    if (verdict.kind !== "pass" || !/position=[1-9]+,fill=hidden/.test(check.address)) continue;
    if (check.address.includes("/past:")) expect(verdict.share).toBe(0);
    else expect(verdict.share).toBeGreaterThan(0.2);
  }
});

Deno.test("what must be written cannot look right before, all other words do", () => {
  for (const one of CASES) {
    const input = inputOf(one);
    const { family } = one;
    const bounds = family.bounds!(family.reference(input), input);
    const before = [...bitsOf(input.keys), ...bitsOf(input.values)];
    const wrong = before.flatMap((word, at) => shareOfBound(bounds, at, word) <= 1 ? [] : [at]);
    const place = placeOf(input);
    const words = input.heads * HEAD;
    const places = place === undefined ? [] : [place, cacheWords(input) + place]
      .flatMap((first) => Array.from({ length: words }, (_, i) => first + i));
    expect(wrong).toEqual(places);
  }
});

Deno.test("a token's place is that of its layer and position, and none past the end", () => {
  const shape = { layers: 3, len: 5, heads: 2, layer: 2, position: 4 };
  expect(placeOf(shape)).toBe(14 * 2 * 128);
  expect(placeOf({ ...shape, layer: 0, position: 0 })).toBe(0);
  expect(placeOf({ ...shape, position: 5 })).toBeUndefined();
});

Deno.test("the f64 values are those of exact arithmetic, to 2^-50 of their terms", () => {
  for (const one of CASES) {
    const input = inputOf(one);
    const { cos, sin } = rotationAt(input, input.position);
    const { values } = rope(input.key.subarray(0, HEAD), { cos, sin });
    for (const d of [0, 31, 63]) {
      const [a, b] = [fixed(input.key[d]!), fixed(input.key[d + HALF]!)];
      const [c, s] = [fixed(cos[d]!), fixed(sin[d]!)];
      const right = [times(a, c) - times(b, s), times(b, c) + times(a, s)];
      const terms = Math.hypot(input.key[d]!, input.key[d + HALF]!);
      right.forEach((exact, half) => {
        const off = fixed(values[d + half * HALF]!) - exact;
        expect((off < 0n ? -off : off) <= fixed(terms * 2 ** -50) + 4n).toBe(true);
      });
    }
  }
});

Deno.test("kernels that contract, or do not, are within the bound and use much of it", () => {
  const shares = CASES.filter((one) => placeOf(inputOf(one)) !== undefined).flatMap((one) => {
    const input = inputOf(one);
    const { cos, sin } = rotationAt(input, input.position);
    const head = input.key.subarray(0, HEAD);
    const turned = (fused: boolean) =>
      bitsOf(Float32Array.from(head, (x, at) => {
        const d = at % HALF;
        const other = at < HALF ? -head[d + HALF]! : head[d]!;
        const across = mulF32(other, sin[d]!);
        return fused ? fmaF32(x, cos[d]!, across) : addF32(mulF32(x, cos[d]!), across);
      }));
    const bounds = rope(head, { cos, sin });
    return [false, true].map((fused) => largestShare(bounds, [turned(fused)]));
  });
  expect(shares.length).toBeGreaterThan(35);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.max(...shares)).toBeGreaterThan(0.5);
});

Deno.test("a diagnosis blames the kernel for words past the caches' end, and for wrong ones", () => {
  const subject = caseAt(
    "rope_kv_write/past:layers=1,len=1,heads=1,layer=0,position=2,fill=hidden,seed=202",
  );
  const input = inputOf(subject);
  const golden = new Uint32Array([...bitsOf(input.keys), ...bitsOf(input.values)]);
  const found = (output: Uint32Array, overrun: number) =>
    diagnose({ subject, input, golden, output: { repeats: [output], overrun } });
  expect(found(golden, 0)).toMatchObject({ blame: "nothing" });
  expect(found(golden, 3)).toMatchObject({
    blame: "kernel",
    cause: "3 words past the end of the output are written",
  });
  const touched = golden.slice();
  touched[130]! ^= 1;
  expect(found(touched, 0)).toMatchObject({
    blame: "kernel",
    cause: expect.stringMatching(/beyond the bound is one word, row 2, column 1/),
  });
  // A race is told before anything else, also where each of its words is within its bound.
  const near = golden.slice();
  near[5]! ^= 1;
  const repeats = [golden, near];
  expect(diagnose({ subject, input, golden, output: { repeats, overrun: 0 } })).toMatchObject({
    blame: "not deterministic",
    cause: expect.stringMatching(
      /in 2 runs of the same check one word, row 5, column 0 did not stay/,
    ),
  });
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "the position off by one in the tables",
    replace: [["C[p.position * HALF", "C[(p.position + 1u) * HALF"], [
      "S[p.position * HALF",
      "S[(p.position + 1u) * HALF",
    ]],
    on: /place:/,
  },
  {
    name: "the position off by one in the caches",
    replace: [["+ p.position)", "+ p.position + 1u)"]],
    on: /place:/,
  },
  {
    name: "the last position written past the end, behind all",
    replace: [["p.position >= p.len", "p.position > p.len"]],
    on: /past:layers=2,len=3,heads=2,layer=1/,
  },
  {
    name: "the last position written past the end, into the next layer",
    replace: [["p.position >= p.len", "p.position > p.len"]],
    on: /past:layers=2,len=3,heads=2,layer=0/,
  },
  {
    name: "the last position written at the end of the caches, turned round",
    replace: [
      ["if (p.position >= p.len) {\n    return;\n  }\n", ""],
      ["+ p.position)", "+ p.position % p.len)"],
    ],
    on: /past:/,
  },
  {
    name: "the last position that there is not written",
    replace: [["p.position >= p.len", "p.position + 1u >= p.len"]],
    on: /place:/,
  },
  {
    name: "heads before positions",
    replace: [[
      "(p.layer * p.len + p.position) * p.heads * HEAD + first",
      "((p.layer * p.heads + group.x) * p.len + p.position) * HEAD + d",
    ]],
    on: /place:/,
  },
  {
    name: "the layer left out",
    replace: [["p.layer * p.len + p.position", "p.position"]],
    on: /place:/,
  },
  {
    name: "values turned too",
    replace: [[
      "values[place] = V[first]",
      "values[place] = bitcast<u32>(bitcast<f32>(V[first]) * cosine)",
    ]],
    on: /place:/,
  },
  {
    name: "one pair of keys not turned",
    replace: [[
      "keys[place] = a * cosine - b * sine",
      "keys[place] = select(a * cosine - b * sine, a, d == 63u)",
    ]],
    on: /layer:|place:/,
  },
  {
    name: "one rotary pair's elements exchanged",
    replace: [["let b = K[first + HALF]", "let b = K[first + select(HALF, HALF - 1u, d == 5u)]"]],
    on: /place:/,
  },
  {
    name: "one word of the values not written",
    replace: [[
      "values[place + HALF] = V[first + HALF]",
      "if (d != 63u) { values[place + HALF] = V[first + HALF]; }",
    ]],
    on: /place:/,
  },
  {
    name: "values rounded to f16 on the way",
    replace: [[
      "values[place] = V[first]",
      "values[place] = bitcast<u32>(unpack2x16float(pack2x16float(vec2f(bitcast<f32>(V[first]), 0.0))).x)",
    ]],
    on: /place:/,
  },
  {
    name: "a word of another place touched",
    replace: [[
      "  keys[place] =",
      "  if (d == 0u) {\n    keys[(place + 3u * HEAD) % arrayLength(&keys)] = 0.0;\n  }\n  keys[place] =",
    ]],
    on: /place:/,
  },
  {
    name: "the neighbour's head",
    replace: [["let a = K[first]", "let a = K[first ^ HEAD]"]],
    on: /place:/,
  },
];
testFaults("rope_kv_write", FAULTS.map((fault) => ({ ...fault, kernel: "ROPE_KV_WRITE" })));
