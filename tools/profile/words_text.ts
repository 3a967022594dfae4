/**
 * The WGSL that asks many probes in one dispatch, an invocation each.
 *
 * @module
 */
import { type Accuracy, bitsOf, type Probe, WORDS_IN } from "./probe.ts";

/** The text, and the words that go with it. */
export interface WordsKernel {
  readonly text: string;
  /** For each invocation its input, then the number of its function. */
  readonly input: Uint32Array;
  readonly count: number;
}

/** A kernel for probes, and for every input of some functions after them. */
export function wordsKernel(
  probes: readonly Probe[],
  accuracy: readonly Accuracy[] = [],
): WordsKernel {
  const bodies = [
    ...probes.map(({ body }) => body),
    ...accuracy.map(({ expression }) => `return bitcast<u32>(${expression});`),
  ];
  const items = [
    ...probes.map(({ input }, number) => ({ words: input, number })),
    ...accuracy.flatMap(({ inputs }, i) =>
      inputs.map(([a, b = 0]) => ({ words: [bitsOf(a), bitsOf(b)], number: probes.length + i }))
    ),
  ];
  const input = new Uint32Array(items.length * 2 * WORDS_IN);
  items.forEach(({ words, number }, i) => {
    input.set(words, 2 * WORDS_IN * i);
    input[2 * WORDS_IN * i + WORDS_IN] = number;
  });
  return { text: textOf(bodies), input, count: items.length };
}

function textOf(bodies: readonly string[]): string {
  return `
@group(0) @binding(0) var<storage, read> X: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> O: array<u32>;
@group(0) @binding(2) var<storage, read_write> Scratch: array<u32>;
@group(0) @binding(3) var<uniform> zeros: vec4<u32>;

var<private> kept: f32;
var<private> zero: u32;

fn hide(value: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(value) | zero);
}

fn multiply(left: f32, right: f32) -> f32 {
  return left * right;
}

${bodies.map(functionText).join("\n")}
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
  zero = zeros.x + 0u * Scratch[1];
  kept = 0.0;
  let x = X[2u * id.x];
  switch X[2u * id.x + 1u].x {
${bodies.map((_, i) => `    case ${i}u: { O[id.x] = probe_${i}(x); }`).join("\n")}
    default: {}
  }
}
`;
}

function functionText(body: string, i: number): string {
  return `fn probe_${i}(x: vec4<u32>) -> u32 {
  let a = bitcast<f32>(x.x);
  let b = bitcast<f32>(x.y);
  let c = bitcast<f32>(x.z);
  let d = bitcast<f32>(x.w);
  ${body}
}
`;
}
