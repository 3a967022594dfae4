/**
 * The family `decode_layer`: one layer of a decode step, with what each of its steps gives.
 *
 * @module
 */
import { decodeLayer as reference } from "../../reference/decode_layer.ts";
import {
  type Address,
  AddressError,
  addressOf,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { drawLayer, type LayerInput, matrixShapes } from "./input.ts";
import { type LayerShape, layerSteps, stepAt } from "./steps.ts";

const FAMILY = "decode_layer";
const SIZES = ["hidden", "intermediate", "heads", "kv", "head", "context", "tokens"];
const drawn = { parameters: [...SIZES, "seed"] };
/** `full` are the layers of real models, held as digests. */
const GROUPS = { small: drawn, full: drawn };

const address = (group: string, sizes: readonly number[], seed: number) =>
  addressOf(FAMILY, group, {
    ...Object.fromEntries(SIZES.map((name, i) => [name, sizes[i]!])),
    seed,
  });

/** Contexts from none to more than 64 scores a head; keys of one head for one query head and for two. */
const SMALL = [
  [256, 512, 4, 2, 64, 0, 1],
  [256, 512, 4, 2, 64, 1, 3],
  [128, 256, 4, 2, 128, 12, 2],
  [128, 128, 4, 4, 32, 66, 1],
];
/** Bonsai 1.7B's. */
const FULL = [[2048, 6144, 16, 8, 128, 100, 2]];

function addresses(): string[] {
  return [
    ...SMALL.map((sizes, i) => address("small", sizes, 1 + i)),
    ...FULL.map((sizes, i) => address("full", sizes, 101 + i)),
  ];
}

function shapeOf(address: Address): LayerShape {
  groupOf(address, FAMILY, GROUPS);
  const shape = {
    hidden: wholeParameter(address, "hidden"),
    intermediate: wholeParameter(address, "intermediate"),
    heads: wholeParameter(address, "heads"),
    kvHeads: wholeParameter(address, "kv"),
    head: wholeParameter(address, "head", 2),
    context: wholeParameter(address, "context", 0),
    tokens: wholeParameter(address, "tokens"),
  };
  const refuse = (problem: string): never => {
    throw new AddressError(`Cannot make case "${formatAddress(address)}": ${problem}.`);
  };
  const { hidden, intermediate, heads, kvHeads, head } = shape;
  if ([hidden, intermediate, heads * head].some((n) => n % 128 !== 0)) {
    refuse("hidden, intermediate and heads · head must be multiples of 128");
  }
  if (heads % kvHeads !== 0) refuse(`heads is ${heads}, and must be a multiple of kv`);
  if (!Number.isInteger(Math.log2(head))) refuse(`head is ${head}, and must be a power of two`);
  return shape;
}

const floats = (words: Uint32Array) => new Float32Array(words.buffer);

/** See {@linkcode Family}. A word is one of a part of the output that `steps.ts` lists. */
export const decodeLayer: Family<LayerInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  // Some are bytes of q8_0 blocks; of the f32 all NaN are one NaN, 0x7fc00000.
  words: "u32",
  generatorVersion: 1,
  addresses,
  isLarge: ({ group }) => group === "full",
  hasStrips: ({ group }) => group === "full",
  input: (address) => drawLayer(shapeOf(address), wholeParameter(address, "seed", 0)),
  cost: (address) => {
    const shape = shapeOf(address);
    const weights = Object.values(matrixShapes(shape)).reduce(
      (sum, { rows, n }) => sum + rows * n,
      0,
    );
    const { heads, head, context, tokens } = shape;
    return tokens * (weights + 2 * heads * head * (context + tokens));
  },
  grid: (input) => {
    const last = layerSteps(input).at(-1)!;
    return { rows: last.first + last.words, cols: 1 };
  },
  partAt: stepAt,
  // Each step is of a family that has none, for weights with finite scales.
  needs: () => [],
  inputBytes: ({ matrices, norms, epsilon, x, keys, values, cos, sin }) => [
    ...Object.values(matrices),
    ...[...Object.values(norms), Uint32Array.of(epsilon), ...x, keys, values, cos, sin].map((
      part,
    ) => new Uint8Array(part.buffer)),
  ],
  reference: (input, rows) => {
    const words = layerWords(input);
    return rows ? words.slice(rows.first, rows.first + rows.count) : words;
  },
  expand: (stored) => stored,
};

function layerWords(input: LayerInput): Uint32Array {
  const steps = new Map(layerSteps(input).map((step) => [step.name, step]));
  const last = [...steps.values()].at(-1)!;
  const output = new Uint32Array(last.first + last.words);
  const cache = (name: "keys" | "values") => {
    const { first, words } = steps.get(name)!;
    output.set(input[name], first);
    return new Float32Array(output.buffer, 4 * first, words);
  };
  const { norms, head, context, cos, sin } = input;
  const layer = {
    ...input,
    norms: {
      attn_norm: floats(norms.attn_norm),
      attn_q_norm: floats(norms.attn_q_norm),
      attn_k_norm: floats(norms.attn_k_norm),
      ffn_norm: floats(norms.ffn_norm),
    },
    epsilon: floats(Uint32Array.of(input.epsilon))[0]!,
    keys: cache("keys"),
    values: cache("values"),
  };
  input.x.forEach((x, token) => {
    const position = context + token;
    const turns = (part: Uint32Array) =>
      floats(part).subarray(position * head / 2, (position + 1) * head / 2);
    reference(
      { ...layer, x: floats(x), position, cos: turns(cos), sin: turns(sin) },
      (name, words) => {
        const step = steps.get(`${name} ${token}`);
        if (step?.words !== words.length) {
          throw new Error(
            `${name} ${token} has ${words.length} words, and room for ${step?.words}`,
          );
        }
        output.set(words, step.first);
      },
    );
  });
  return output;
}
