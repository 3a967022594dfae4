/**
 * The family `attention`: one token's queries against all keys so far, several query heads to a head
 * of keys and values.
 *
 * @module
 */
import { attention as reference } from "../../reference/attention.ts";
import {
  type Address,
  AddressError,
  addressOf,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { joinBounds, nearestWords, readBounded, storeBounded } from "../bounded.ts";
import { HEAD, KEY_VALUE_HEADS, QUERY_HEADS } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { floats, mulberry32 } from "../random.ts";
import { FILLS, MASKS } from "./fills.ts";

/** What attention is computed from. */
export interface AttentionInput {
  /** Heads of queries, of 128 values each. */
  readonly heads: number;
  /** Heads of keys and of values: a divisor of `heads`. Query head h looks at ⌊h · kv / heads⌋. */
  readonly kv: number;
  /** Keys. */
  readonly len: number;
  /** Ranges that the keys are cut into. */
  readonly splits: number;
  /** Head after head. */
  readonly query: Float32Array;
  /** Position after position, in each head after head. */
  readonly keys: Float32Array;
  /** As `keys`. */
  readonly values: Float32Array;
  /** One for each key: 0 where it is masked, in all heads. */
  readonly live: Uint32Array;
  /** What scores are multiplied by. */
  readonly scale: number;
}

const FAMILY = "attention";
const drawn = { parameters: ["heads", "kv", "len", "splits", "fill", "live", "seed"] };
const GROUPS = { size: drawn, split: drawn, edge: drawn, mask: drawn, long: drawn, layer: drawn };

/** 1 / √128, as an f32. */
const SCALE = Math.fround(HEAD ** -0.5);

/** Work from which on a case is run only when asked for. */
const LARGE_COST = 2e6;

type Shape = readonly [heads: number, kv: number, len: number, splits: number];

function address(group: string, shape: Shape, fill: string, live: string, seed: number): string {
  const [heads, kv, len, splits] = shape;
  return addressOf(FAMILY, group, { heads, kv, len, splits, fill, live, seed });
}

// Around a tile and two.
const LENGTHS = [1, 2, 63, 64, 65, 127, 128, 129, 200];
// Not divisible, one key left over, empty last ones, more than there are keys.
const SPLITS: readonly (readonly [len: number, splits: number])[] = [
  [200, 2],
  [200, 3],
  [200, 7],
  [65, 2],
  [129, 2],
  [5, 4],
  [3, 8],
  [1, 2],
  [1000, 8],
];
const MASKED: readonly (readonly [live: string, splits: number])[] = [
  ["none", 1],
  ["none", 4],
  ["one", 1],
  ["one", 4],
  ["half", 4],
  ["last_fifth", 4],
  ["first_quarter", 4],
];

function addresses(): string[] {
  const [few, many] = [...new Set(Object.values(QUERY_HEADS))] as [number, number];
  return [
    ...LENGTHS.map((len, i) => address("size", [2, 1, len, 1], "layer", "all", 100 + i)),
    ...SPLITS.map(([len, splits], i) =>
      address("split", [2, 1, len, splits], "layer", "all", 200 + i)
    ),
    ...Object.keys(FILLS).map((fill, i) => address("edge", [2, 2, 150, 2], fill, "all", 300 + i)),
    address("edge", [2, 1, 512, 8], "peaks", "all", 320),
    ...MASKED.map(([live, splits], i) =>
      address("mask", [2, 1, 150, splits], "layer", live, 400 + i)
    ),
    address("long", [1, 1, 4096, 8], "equal", "all", 500),
    address("long", [2, 1, 4096, 16], "layer", "all", 501),
    address("long", [2, 1, 4096, 1], "equal", "all", 502),
    address("long", [4, 2, 4095, 5], "rising", "all", 503),
    address("layer", [few, KEY_VALUE_HEADS, 63, 1], "layer", "all", 600),
    address("layer", [many, KEY_VALUE_HEADS, 65, 4], "layer", "all", 601),
    address("layer", [few, KEY_VALUE_HEADS, 1000, 4], "layer", "all", 602),
  ];
}

function shapeOf(address: Address): Pick<AttentionInput, "heads" | "kv" | "len" | "splits"> {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", FILLS);
  choiceParameter(address, "live", MASKS);
  const [heads, kv, len, splits] = ["heads", "kv", "len", "splits"]
    .map((name) => wholeParameter(address, name)) as [number, number, number, number];
  if (heads % kv !== 0) {
    throw new AddressError(
      `Cannot make case "${
        formatAddress(address)
      }": ${heads} query heads cannot share ${kv} heads ` +
        "of keys evenly. Use a divisor.",
    );
  }
  return { heads, kv, len, splits };
}

/** Of each key, the part of one head. */
function headOf(all: Float32Array, { kv, len }: AttentionInput, head: number): Float32Array {
  const part = new Float32Array(len * HEAD);
  for (let key = 0; key < len; key++) {
    const from = (key * kv + head) * HEAD;
    part.set(all.subarray(from, from + HEAD), key * HEAD);
  }
  return part;
}

/** See {@linkcode Family}. */
export const attention: Family<AttentionInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses,
  isLarge: (address) => attention.cost(address) >= LARGE_COST,
  input: (address) => {
    const shape = shapeOf(address);
    const { heads, kv, len } = shape;
    const fill = choiceParameter(address, "fill", FILLS);
    const isLive = choiceParameter(address, "live", MASKS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const words = len * kv * HEAD;
    const keyAt = (i: number) => Math.floor(i / (kv * HEAD));
    return {
      ...shape,
      query: floats(heads * HEAD, (i) => fill.query(random, Math.floor(i / HEAD))),
      keys: floats(words, (i) => fill.key(random, keyAt(i), len)),
      values: floats(words, (i) => fill.value(random, keyAt(i))),
      live: Uint32Array.from({ length: len }, (_, key) => isLive(random, key, len) ? 1 : 0),
      scale: SCALE,
    };
  },
  // A score and a weighed value have a product for each of its elements.
  cost: (address) => {
    const { heads, len } = shapeOf(address);
    return 2 * heads * len * HEAD;
  },
  grid: ({ heads }) => ({ rows: HEAD, cols: heads }),
  // What an adapter may do with subnormals, with contraction and with exp is in the bounds.
  needs: () => [],
  inputBytes: ({ query, keys, values, live, scale, splits, heads, kv }) =>
    [query, keys, values, live, Float32Array.of(scale), Uint32Array.of(splits, heads, kv)]
      .map((part) => new Uint8Array(part.buffer)),
  reference: (input) => {
    const { heads, kv, query, live, scale, splits } = input;
    const shared = Array.from({ length: kv }, (_, head) => ({
      keys: headOf(input.keys, input, head),
      values: headOf(input.values, input, head),
    }));
    return storeBounded(joinBounds(Array.from({ length: heads }, (_, head) =>
      reference({
        ...shared[Math.floor(head * kv / heads)]!,
        query: query.subarray(head * HEAD, (head + 1) * HEAD),
        live,
        scale,
        splits,
      }))));
  },
  expand: nearestWords,
  bounds: readBounded,
};
