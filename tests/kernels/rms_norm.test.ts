/** RMS_NORM within its bounds; the bounds against other right kernels, and against small faults. */
import { expect } from "expect";
import { caseAt } from "../../cases/mod.ts";
import type { RmsNormInput } from "../../cases/rms_norm/family.ts";
import { addF32, divF32, mulF32 } from "../../reference/f32.ts";
import { rmsNorm, rmsNormDepth } from "../../reference/rms_norm.ts";
import { largestShare } from "../../tools/runner/held.ts";
import { integerOf } from "../support/exact.ts";
import { kernelNamed } from "../support/faults.ts";
import { type Planted, resultsOf, smallCases, testFaults } from "../support/planted.ts";

const LAYER = "rms_norm/layer:n=2048,cols=1,fill=hidden,seed=400";

function inputOf(address: string): RmsNormInput {
  const { family, parsed } = caseAt(address);
  return family.input(parsed);
}

Deno.test("RMS_NORM is within its bounds, and uses some of them", async () => {
  const results = await resultsOf(kernelNamed("RMS_NORM"), smallCases("rms_norm"));
  expect(results.filter(({ verdict }) => verdict.kind !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(35);
  const shares = results.map(({ verdict }) => verdict.kind === "pass" ? verdict.share! : NaN);
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  expect(Math.max(...shares)).toBeGreaterThan(0.01);
});

/** The square of a double as an exact fraction of 2^2148: doubles are multiples of 2^-1074. */
function squareOf(x: number): bigint {
  const scaled = integerOf(x);
  return scaled * scaled;
}

Deno.test("the f64 values are those of exact fractions, to 2^-45 of their size", () => {
  for (const address of [LAYER, ...smallCases("rms_norm").map(({ address }) => address)]) {
    const { n, values, weight, epsilon } = inputOf(address);
    const x = values.subarray(0, n);
    const found = rmsNorm(x, weight, epsilon).values;
    const one = 2n ** 1074n;
    // y² (Σ x² + n ε) = n x² w², all as multiples of powers of 2^-1074.
    const sum = x.reduce((total, value) => total + squareOf(value), 0n) +
      BigInt(n) * integerOf(epsilon) * one;
    for (const at of [0, n >> 1, n - 1]) {
      const right = BigInt(n) * squareOf(x[at]!) * squareOf(weight[at]!);
      const left = squareOf(found[at]!) * sum;
      const off = left > right ? left - right : right - left;
      // Of a square: twice the relative error. A subnormal double has fewer bits.
      if (Math.abs(found[at]!) > 2 ** -1000) expect(off << 44n <= right).toBe(true);
    }
  }
});

/** A right kernel, rounded to f32 at every step, with its sum in `chains` chains. */
function roundedNorm({ n, values, weight, epsilon }: RmsNormInput, chains: number): Uint32Array {
  const sums = new Float32Array(chains);
  for (let i = 0; i < n; i++) {
    sums[i % chains] = addF32(sums[i % chains]!, mulF32(values[i]!, values[i]!));
  }
  for (let half = chains / 2; half >= 1; half /= 2) {
    for (let i = 0; i < half; i++) sums[i] = addF32(sums[i]!, sums[i + half]!);
  }
  const mean = addF32(divF32(sums[0]!, n), epsilon);
  const scale = divF32(1, Math.fround(Math.sqrt(mean)));
  const words = Float32Array.from(weight, (w, i) => mulF32(mulF32(values[i]!, scale), w));
  return new Uint32Array(words.buffer);
}

Deno.test("kernels that sum in 32 to 256 chains are within the bound", () => {
  const largest = smallCases("rms_norm").filter(({ parsed }) =>
    parsed.parameters.get("cols") === "1"
  )
    .map(({ family, parsed }) => {
      const input: RmsNormInput = family.input(parsed);
      const bounds = family.bounds!(family.reference(input), input);
      return Math.max(
        ...[32, 64, 256].map((chains) => largestShare(bounds, [roundedNorm(input, chains)])),
      );
    });
  expect(Math.max(...largest)).toBeLessThanOrEqual(1);
  expect(Math.max(...largest)).toBeGreaterThan(0.02);
});

Deno.test("no bound is wider than its roundings: some tens of units in the last place", () => {
  const { n, values, weight, epsilon } = inputOf(LAYER);
  const { values: right, bounds } = rmsNorm(values, weight, epsilon);
  const depth = rmsNormDepth(n);
  expect(depth).toBe(69);
  for (let i = 0; i < n; i++) {
    // Half the roundings of the sum, division and ε, and six more; 1 % for what is not linear.
    expect(bounds[i]!).toBeLessThan(
      1.01 * ((depth + 7) / 2 + 6) * 2 ** -24 * Math.abs(right[i]!) + 2 ** -123,
    );
    expect(bounds[i]!).toBeGreaterThan(20 * 2 ** -24 * Math.abs(right[i]!));
  }
});

const FAULTS: readonly Omit<Planted, "kernel">[] = [
  {
    name: "epsilon 1e-5 for 1e-6, in the first layer",
    replace: [["+ p.epsilon)", "+ 10.0 * p.epsilon)"]],
    on: /layer:n=2048,cols=1,fill=embedding/,
  },
  {
    name: "epsilon left out",
    replace: [["+ p.epsilon)", ")"]],
    on: /fill=small/,
  },
  {
    name: "epsilon beside the root and not under it",
    replace: [
      ["p.n) + p.epsilon)", "p.n)) + p.epsilon"],
      ["inverseSqrt(sums", "(inverseSqrt(sums"],
      [
        "+ p.epsilon;",
        "+ p.epsilon);",
      ],
    ],
    on: /fill=hidden/,
  },
  {
    name: "the last of 2,048 squares dropped",
    replace: [[
      "for (var i = local; i < p.n; i += WG) {\n    let x",
      "for (var i = local; i < p.n - 1u; i += WG) {\n    let x",
    ]],
    on: /layer:n=2048,cols=1,fill=hidden/,
  },
  {
    name: "the mean of one value fewer",
    replace: [["f32(p.n)", "f32(p.n - 1u)"]],
    on: /layer:n=4096/,
  },
  {
    name: "the weight of the next row",
    replace: [["* W[i]", "* W[(i + 1u) % p.n]"]],
    on: /fill=hidden/,
  },
  {
    name: "one invocation's sum lost where the halves are joined",
    replace: [["if (local < half)", "if (local < max(half, 2u) - 1u)"]],
    on: /layer/,
  },
  {
    name: "the second column normalized by the first one's root",
    replace: [["let x = X[first + i]", "let x = X[i]"]],
    on: /cols=[23]/,
  },
  {
    name: "values rounded to f16 on the way",
    replace: [["sum += x * x", "sum += x * unpack2x16float(pack2x16float(vec2f(x, 0.0))).x"]],
    on: /layer:n=2048,cols=1,fill=hidden/,
  },
];
testFaults("rms_norm", FAULTS.map((fault) => ({ ...fault, kernel: "RMS_NORM" })));
