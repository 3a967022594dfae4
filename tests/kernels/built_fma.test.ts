/**
 * The multiply-add that the kernels build, on the GPU, against exact rationals: on constructed ties
 * and on random triples of the values that a Q1_0 product can meet.
 */
import { expect } from "expect";
import { below, mulberry32, type Random } from "../../cases/random.ts";
import { KERNELS } from "../../kernels/mod.ts";
import { exactF32OfF16, exactFmaF32 } from "../../reference/exact.ts";
import { bitsOfF32 } from "../../reference/f32.ts";
import { openDevice } from "../../tools/runner/adapter.ts";
import { sameWord } from "../../tools/runner/words.ts";
import { testAdapter } from "../support/gpu.ts";

type Triple = readonly [a: number, b: number, c: number];

/** A scale: any finite f16. */
function scale(random: Random): number {
  return exactF32OfF16((random() & 0x83ff) | (below(random, 31) << 10));
}

/** A sum of products, as `ab` and `acc` are: any 24 bits, from 2^-24 to 2^27. */
function sum(random: Random): number {
  return ((random() & 0x807fffff) | ((127 - 24 + below(random, 51)) << 23)) >>> 0;
}

/** A sum whose exponent is near that of a·b, so that all of the three meet. */
function nearProduct(random: Random, a: number, b: number): number {
  const exponent = ((a >>> 23) & 255) + ((b >>> 23) & 255) - 127 + below(random, 61) - 30;
  return ((random() & 0x807fffff) | (Math.min(250, Math.max(1, exponent)) << 23)) >>> 0;
}

/** 11-bit m with a 24-bit A such that m·A is 2^34 with a residue that f64 loses beside 2^58. */
const FACTORS = Array.from({ length: 512 }, (_, i) => 1025 + 2 * i)
  .map((m) => ({ m, a: Math.round(2 ** 34 / m) }))
  .filter(({ m, a }) => Math.abs(m * a - 2 ** 34) < 32);

/** a·b is nearly half a unit in the last place of c. */
function besideHalf(random: Random): Triple {
  const { m, a } = FACTORS[below(random, FACTORS.length)]!;
  const c = 2 ** 23 + below(random, 2 ** 23);
  const sign = () => (random() & 1) === 0 ? 1 : -1;
  const [x, e] = [-below(random, 18), -8 - below(random, 14)];
  return [
    bitsOfF32(sign() * m * 2 ** x),
    bitsOfF32(sign() * a * 2 ** e),
    bitsOfF32(sign() * c * 2 ** (35 + x + e)),
  ];
}

const SPECIAL = [0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000];

/** An accumulator is never −0: it begins at +0, and a sum that cancels is +0. */
const ACCUMULATORS = SPECIAL.filter((word) => word !== 0x80000000);

function triples(): Triple[] {
  const random = mulberry32(20260101);
  const list: Triple[] = SPECIAL.flatMap((a) =>
    SPECIAL.flatMap((b) => ACCUMULATORS.map((c): Triple => [a, b, c]))
  );
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [scale(random), sum(random)];
    list.push([a, b, sum(random)], [a, b, nearProduct(random, a, b)], besideHalf(random));
  }
  return list;
}

/** f32's smallest normal number; below it adapters may flush, and no Q1_0 product comes there. */
const SMALLEST_NORMAL = 0x00800000;

function isSubnormal(word: number): boolean {
  const size = word & 0x7fffffff;
  return size !== 0 && size < SMALLEST_NORMAL;
}

const TRIPLES = triples();
const EXACT = TRIPLES.map(([a, b, c]) => exactFmaF32(a, b, c));

/** How a text's functions are called: fma_pair is given two, of which the second is another one. */
const CALLS: Readonly<Record<string, string>> = {
  add_step: "add_step(hide(c), step_of(a, b))",
  fma_exact: "fma_exact(a, b, hide(c))",
  two_roundings: "two_roundings(a, b, hide(c))",
  fma_pair: "fma_pair(a, vec2<f32>(b, -b), hide_pair(vec2<f32>(c, a))).x",
};

/** Applies a function of a kernel's text to every triple. */
async function onGpu(text: string, name: string): Promise<Uint32Array> {
  const device = await openDevice(await testAdapter());
  const code = `${text.slice(0, text.indexOf("@compute"))}
@group(1) @binding(0) var<storage, read> triples: array<u32>;
@group(1) @binding(1) var<storage, read_write> sums: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i < arrayLength(&sums)) {
    let a = bitcast<f32>(triples[3u * i]);
    let b = bitcast<f32>(triples[3u * i + 1u]);
    let c = bitcast<f32>(triples[3u * i + 2u]);
    sums[i] = bitcast<u32>(${CALLS[name]});
  }
}`;
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffer = (size: number, usage: number) => device.createBuffer({ size, usage });
  const input = buffer(TRIPLES.length * 12, STORAGE | COPY_DST);
  const output = buffer(TRIPLES.length * 4, STORAGE | COPY_SRC);
  const readback = buffer(TRIPLES.length * 4, MAP_READ | COPY_DST);
  const uniform = buffer(16, UNIFORM | COPY_DST); // all zero, the hidden zero among them
  device.queue.writeBuffer(input, 0, Uint32Array.from(TRIPLES.flat()));

  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  const zeroAt = /@binding\((\d)\) var<uniform>/.exec(text)![1]!;
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const group = (index: number, entries: GPUBindGroupEntry[]) =>
    pass.setBindGroup(
      index,
      device.createBindGroup({ layout: pipeline.getBindGroupLayout(index), entries }),
    );
  group(0, [{ binding: Number(zeroAt), resource: { buffer: uniform } }]);
  group(1, [
    { binding: 0, resource: { buffer: input } },
    { binding: 1, resource: { buffer: output } },
  ]);
  pass.dispatchWorkgroups(Math.ceil(TRIPLES.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, readback, 0, TRIPLES.length * 4);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(readback.getMappedRange()).slice();
  device.destroy();
  return words;
}

/** Triples whose result on the GPU is not the exact one, subnormal results aside. */
function wrongOnes(words: Uint32Array): Triple[] {
  return TRIPLES.filter((_, i) =>
    !isSubnormal(EXACT[i]!) && !sameWord(EXACT[i]!, words[i]!, "f32")
  );
}

for (const { name, text } of KERNELS.filter(({ text }) => text.includes("fn fma_exact("))) {
  Deno.test(`${name}: fma_exact is right on ${TRIPLES.length} triples`, async () => {
    expect(wrongOnes(await onGpu(text, "fma_exact")).slice(0, 5)).toEqual([]);
  });
}

/** Finite ones: what is not is settled elsewhere, and NaN until then. */
function wrongFinite(words: Uint32Array): Triple[] {
  return wrongOnes(words).filter((triple) =>
    triple.every((word) => (word & 0x7f800000) !== 0x7f800000)
  );
}

/** What their FMAs of finite numbers are called, and faults in them. */
const FINITE: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  fma_pair: [
    ["any(is_inexact)", "any(is_inexact) && p.zero == 1u"],
    ["(rest - sum_error != product_error) | ", ""],
    [" | (rest - product_error != sum_error)", ""],
    ["let product_error = ", "let product_error = 0.0 * "],
    ["let sum_error = ", "let sum_error = 0.0 * "],
    ["(bits - is_toward)", "bits"],
    ["(bits - is_toward) | vec2<u32>(1u)", "bits"],
    ["let lost = ", "let lost = -"],
    ["select(rest, odd, is_inexact)", "rest"],
    ["select(rest, odd, is_inexact)", "rounded_to_odd(rest, product_error, -sum_error)"],
  ],
  add_step: [
    ["(rest - error != step.low) | ", ""],
    [" | (rest - step.low != error)", ""],
    ["return Step(product, ", "return Step(product, 0.0 * "],
    ["let error = ", "let error = 0.0 * "],
    ["(bits - is_toward)", "bits"],
    ["(bits - is_toward) | 1u", "bits"],
    ["let lost = ", "let lost = -"],
    ["odd_sum(rest, step.low, error)", "rest"],
    ["odd_sum(rest, step.low, error)", "odd_sum(rest, step.low, -error)"],
  ],
};

for (const [name, faults] of Object.entries(FINITE)) {
  const kernels = KERNELS.filter(({ text, constants }) =>
    text.includes(`fn ${name}(`) && constants?.["FUSED"] !== 1
  );

  Deno.test(`some kernels have ${name}`, () => {
    expect(kernels.length).toBeGreaterThan(3);
  });

  for (const kernel of kernels) {
    Deno.test(`${kernel.name}: ${name} is right on ${TRIPLES.length} triples`, async () => {
      expect(wrongFinite(await onGpu(kernel.text, name)).slice(0, 5)).toEqual([]);
    });
  }

  Deno.test(`no part of ${name} can be left out: the triples tell`, async () => {
    const { text } = kernels[0]!;
    for (const [from, to] of faults) {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      expect([from, wrongFinite(await onGpu(changed, name)).length > 0]).toEqual([from, true]);
    }
  });
}

Deno.test("the triples tell: two roundings, and f64 before f32, are wrong on many", async () => {
  const twoRoundings = `fn two_roundings(a: f32, b: f32, c: f32) -> f32 {
    return hide(a * b) + c;
  }\n`;
  const text = KERNELS[0]!.text.replace("@compute", `${twoRoundings}@compute`);
  expect(wrongOnes(await onGpu(text, "two_roundings")).length).toBeGreaterThan(5000);
  const value = (word: number) => new Float32Array(Uint32Array.of(word).buffer)[0]!;
  const viaF64 = Uint32Array.from(
    TRIPLES,
    ([a, b, c]) => bitsOfF32(Math.fround(value(a) * value(b) + value(c))),
  );
  expect(wrongOnes(viaF64).length).toBeGreaterThan(5000);
});
