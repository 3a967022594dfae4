/**
 * The family `rope_kv_write`: a token's keys are turned by its position and written into a cache, its
 * values into another one as they are. The output is both caches.
 *
 * @module
 */
import { rope } from "../../reference/rope.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { type Bounds, joinBounds, nearestTo, readBounded, storeBounded } from "../bounded.ts";
import { HEAD, KEY_VALUE_HEADS } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { VALUES } from "../rms_norm/fills.ts";
import { rotationAt } from "../rotary.ts";
import { type CacheShape, cacheWords, drawInput, placeOf, type RopeKvWriteInput } from "./input.ts";

const FAMILY = "rope_kv_write";
const drawn = { parameters: ["layers", "len", "heads", "layer", "position", "fill", "seed"] };
const GROUPS = { place: drawn, past: drawn, edge: drawn, layer: drawn };

/** Cache words from which on a case is run only when asked for. */
const LARGE_WORDS = 300_000;

const address = (group: string, shape: number[], fill: string, seed: number) => {
  const [layers, len, heads, layer, position] = shape as [number, number, number, number, number];
  return addressOf(FAMILY, group, { layers, len, heads, layer, position, fill, seed });
};

function addresses(): string[] {
  return [
    // Every place of a small cache: first and last layers and positions, and one between.
    ...[0, 1, 2].flatMap((layer) =>
      [0, 1, 2].map((position) =>
        address("place", [3, 3, 2, layer, position], "hidden", 100 + 3 * layer + position)
      )
    ),
    // Where an unguarded write would be in the next layer, and where it would be behind all.
    address("past", [2, 3, 2, 0, 3], "hidden", 200),
    address("past", [2, 3, 2, 1, 3], "hidden", 201),
    address("past", [1, 1, 1, 0, 2], "hidden", 202),
    ...Object.keys(VALUES).map((fill, i) => address("edge", [1, 3, 1, 0, 1], fill, 300 + i)),
    address("layer", [2, 20, KEY_VALUE_HEADS, 1, 19], "hidden", 400),
    address("layer", [28, 12, KEY_VALUE_HEADS, 27, 11], "hidden", 401),
  ];
}

function shapeOf(address: Address): CacheShape {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", VALUES);
  return {
    layers: wholeParameter(address, "layers"),
    len: wholeParameter(address, "len"),
    heads: wholeParameter(address, "heads"),
    layer: wholeParameter(address, "layer", 0),
    position: wholeParameter(address, "position", 0),
  };
}

/** What a golden keeps: the token's keys and values, and nothing where they have no place. */
function written(input: RopeKvWriteInput): Bounds {
  if (placeOf(input) === undefined) return joinBounds([]);
  const rotation = rotationAt(input, input.position);
  const heads = Array.from(
    { length: input.heads },
    (_, head) => rope(input.key.subarray(head * HEAD, (head + 1) * HEAD), rotation),
  );
  return joinBounds([...heads, exactly(input.value)]);
}

/** Nothing but these values is right. */
const exactly = (values: Float32Array): Bounds => ({
  values: Float64Array.from(values),
  bounds: new Float64Array(values.length),
});

/** Both caches: what was there, exactly, and in it what is written. */
function caches(stored: Uint32Array, input: RopeKvWriteInput): Bounds {
  const all = joinBounds([exactly(input.keys), exactly(input.values)]);
  const place = placeOf(input);
  if (place === undefined) return all;
  const token = readBounded(stored);
  const count = input.heads * HEAD;
  [0, 1].forEach((cache) => {
    const at = cache * cacheWords(input) + place;
    all.values.set(token.values.subarray(cache * count, (cache + 1) * count), at);
    all.bounds.set(token.bounds.subarray(cache * count, (cache + 1) * count), at);
  });
  return all;
}

/** See {@linkcode Family}. */
export const ropeKvWrite: Family<RopeKvWriteInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses,
  isLarge: (address) => cacheWords(shapeOf(address)) >= LARGE_WORDS,
  input: (address) =>
    drawInput(
      shapeOf(address),
      choiceParameter(address, "fill", VALUES),
      wholeParameter(address, "seed", 0),
    ),
  cost: (address) => 2 * cacheWords(shapeOf(address)),
  // Keys, then values.
  grid: (input) => ({ rows: cacheWords(input), cols: 2 }),
  // What an adapter may do with subnormals and with contraction is in the bounds.
  needs: () => [],
  inputBytes: ({ key, value, keys, values, cos, sin, layer, position, len, heads }) =>
    [key, value, keys, values, cos, sin, Uint32Array.of(layer, position, len, heads)]
      .map((part) => new Uint8Array(part.buffer)),
  reference: (input) => storeBounded(written(input)),
  expand: (stored, input) => nearestTo(caches(stored, input)),
  bounds: caches,
};
