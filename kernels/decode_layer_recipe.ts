/**
 * The dispatches of a layer of a decode step, in their order.
 *
 * @module
 */
import {
  type LayerInput,
  type LayerMatrix,
  type LayerNorm,
  matrixShapes,
} from "../cases/decode_layer/input.ts";
import { layerSteps, type Step } from "../cases/decode_layer/steps.ts";
import type { Binding, Dispatch, Kernel } from "./kernel.ts";
import { q1Dot } from "./q1_dot.ts";
import { q8Quantize } from "./q8_0_quantize.ts";
import { rmsNormExactColumns } from "./rms_norm_exact.ts";
import { ropeExactPairs } from "./rope_exact.ts";
import { softmaxExactColumns } from "./softmax_exact.ts";
import { swigluExactValues } from "./swiglu_exact.ts";

/** Invocations in a workgroup of every one of these texts. */
const WORKGROUP = 64;

/** The words of a step, or an input. */
type Source = string | Uint32Array | Uint8Array;

/** Collects dispatches; each step reads what earlier ones wrote, by their names. */
export class LayerRecipe {
  readonly dispatches: Dispatch[] = [];
  readonly #input: LayerInput;
  readonly #steps: ReadonlyMap<string, Step>;

  constructor(input: LayerInput) {
    this.#input = input;
    this.#steps = new Map(layerSteps(input).map((step) => [step.name, step]));
  }

  /** What the cache holds before the first token. */
  loadCache(): void {
    const { context, keys, values } = this.#input;
    if (context === 0) return;
    this.#copy(keys, "keys", keys.length, 0);
    this.#copy(values, "values", values.length, 0);
  }

  /** The layer for one token, which is its number from 0. */
  token(token: number): void {
    const { head, heads, kvHeads, context, hidden, intermediate, x } = this.#input;
    const of = (step: string) => `${step} ${token}`;
    const length = context + token + 1;
    const key = kvHeads * head;

    this.#norm(x[token]!, of("attn_norm"), 1, "attn_norm");
    this.#quantize(of("attn_norm"), of("attn_quants"), hidden);
    for (const name of ["attn_q", "attn_k", "attn_v"] as const) {
      this.#product(name, of("attn_quants"), of(name));
    }
    this.#norm(of("attn_q"), of("attn_q_norm"), heads, "attn_q_norm");
    this.#norm(of("attn_k"), of("attn_k_norm"), kvHeads, "attn_k_norm");
    this.#rope(of("attn_q_norm"), of("rope_q"), heads, length - 1);
    this.#rope(of("attn_k_norm"), of("rope_k"), kvHeads, length - 1);
    this.#copy(of("rope_k"), "keys", key, length - 1);
    this.#copy(of("attn_v"), "values", key, length - 1);

    this.#own("scores", of("rope_q"), "keys", of("scores"), length, [length, heads]);
    this.#softmax(of("scores"), of("softmax"), length);
    const groups = Math.ceil(heads * head / WORKGROUP);
    this.#own("mix", of("softmax"), "values", of("mix"), length, [groups, 1]);
    this.#quantize(of("mix"), of("mix_quants"), heads * head);
    this.#product("attn_output", of("mix_quants"), of("attn_output"));
    this.#add(x[token]!, of("attn_output"), of("attn_residual"));

    this.#norm(of("attn_residual"), of("ffn_norm"), 1, "ffn_norm");
    this.#quantize(of("ffn_norm"), of("ffn_quants"), hidden);
    this.#product("ffn_gate", of("ffn_quants"), of("ffn_gate"));
    this.#product("ffn_up", of("ffn_quants"), of("ffn_up"));
    this.#swiglu(of("ffn_gate"), of("ffn_up"), of("swiglu"), intermediate);
    this.#quantize(of("swiglu"), of("swiglu_quants"), intermediate);
    this.#product("ffn_down", of("swiglu_quants"), of("ffn_down"));
    this.#add(of("attn_residual"), of("ffn_down"), of("ffn_residual"));
  }

  #norm(from: Source, to: string, cols: number, weight: LayerNorm): void {
    const { norms, epsilon } = this.#input;
    const n = norms[weight].length;
    this.#run(rmsNormExactColumns, [
      this.#read(0, from),
      this.#read(1, norms[weight]),
      this.#write(2, to),
      uniform(3, n, epsilon, 0, 0),
    ], [cols, 1]);
  }

  #quantize(from: string, to: string, n: number): void {
    const { words } = this.#steps.get(to)!;
    // Two blocks of 32 an invocation.
    this.#run(q8Quantize, [
      this.#read(0, from),
      this.#write(1, to),
      uniform(2, n, words, 0, 0),
    ], [Math.ceil(n / 64 / WORKGROUP), 1]);
  }

  #product(matrix: LayerMatrix, from: string, to: string): void {
    const { rows, n } = matrixShapes(this.#input)[matrix];
    this.#run(q1Dot, [
      this.#read(0, this.#input.matrices[matrix]),
      this.#read(1, from),
      this.#write(2, to),
      uniform(3, n, rows, 0, 0),
    ], [Math.ceil(rows / WORKGROUP), 1]);
  }

  #rope(from: string, to: string, heads: number, position: number): void {
    const { head, cos, sin } = this.#input;
    this.#run(ropeExactPairs, [
      this.#read(0, from),
      this.#read(1, cos),
      this.#read(2, sin),
      this.#write(3, to),
      uniform(4, head / 2, heads, position, 0),
    ], [Math.ceil(heads * head / 2 / WORKGROUP), 1]);
  }

  #softmax(from: string, to: string, length: number): void {
    this.#run(softmaxExactColumns, [
      this.#read(0, from),
      this.#write(1, to),
      uniform(2, length, 0, 0, 0),
    ], [this.#input.heads, 1]);
  }

  #swiglu(gate: string, up: string, to: string, count: number): void {
    this.#run(swigluExactValues, [
      this.#read(0, gate),
      this.#read(1, up),
      this.#write(2, to),
      uniform(3, count, 0, 0, 0),
    ], [Math.ceil(count / WORKGROUP), 1]);
  }

  #copy(from: Source, cache: "keys" | "values", count: number, position: number): void {
    this.dispatches.push({
      entry: "copy",
      bindings: [this.#read(0, from), this.#write(2, cache), this.#parameters(count, position)],
      workgroups: [Math.ceil(count / WORKGROUP), 1, 1],
    });
  }

  #add(a: Source, b: string, to: string): void {
    const { words } = this.#steps.get(to)!;
    this.#own("add", a, b, to, words, [Math.ceil(words / WORKGROUP), 1]);
  }

  /** An entry point of the layer's own text. */
  #own(
    entry: "scores" | "mix" | "add",
    a: Source,
    b: string,
    to: string,
    count: number,
    [x, y]: readonly [number, number],
  ): void {
    const bindings = [
      this.#read(0, a),
      this.#read(1, b),
      this.#write(2, to),
      this.#parameters(count, 0),
    ];
    this.dispatches.push({ entry, bindings, workgroups: [x, y, 1] });
  }

  #parameters(count: number, position: number): Binding {
    const { head, heads, kvHeads, scale } = this.#input;
    return uniform(3, count, position, head, heads, kvHeads, scale, 0, 0);
  }

  #run(kernel: Kernel, bindings: Binding[], [x, y]: readonly [number, number]): void {
    this.dispatches.push({ kernel, bindings, workgroups: [x, y, 1] });
  }

  #read(binding: number, from: Source): Binding {
    if (typeof from !== "string") {
      const bytes = from instanceof Uint8Array ? from : bytesOf(from);
      return { binding, kind: "input", bytes };
    }
    return this.#step(binding, from, "read");
  }

  #write(binding: number, to: string): Binding {
    return this.#step(binding, to, "write");
  }

  #step(binding: number, name: string, access: "read" | "write"): Binding {
    const { first, words } = this.#steps.get(name)!;
    return { binding, kind: "scratch", name, words, output: first, access };
  }
}

function uniform(binding: number, ...words: number[]): Binding {
  return { binding, kind: "uniform", words: Uint32Array.from(words) };
}

/** One view for each array, so that an input that several dispatches read is stored once. */
const views = new WeakMap<Uint32Array, Uint8Array>();
function bytesOf(words: Uint32Array): Uint8Array {
  const bytes = views.get(words) ?? new Uint8Array(words.buffer);
  views.set(words, bytes);
  return bytes;
}
