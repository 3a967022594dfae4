/**
 * The family `qk_norm_rope`: each head of a token's queries or keys is normalized, then turned by its
 * position.
 *
 * @module
 */
import { normRope } from "../../reference/rope.ts";
import { type Address, addressOf, choiceParameter, groupOf, wholeParameter } from "../address.ts";
import { joinBounds, nearestWords, readBounded, storeBounded } from "../bounded.ts";
import { HEAD, KEY_VALUE_HEADS, QUERY_HEADS } from "../bonsai.ts";
import { type Family, PLAIN } from "../family.ts";
import { mulberry32 } from "../random.ts";
import { EPSILON } from "../rms_norm/family.ts";
import { VALUES, weightFill } from "../rms_norm/fills.ts";
import { type RotaryTables, rotaryTables, rotationAt } from "../rotary.ts";

/** The heads of one token. */
export interface QkNormRopeInput extends RotaryTables {
  /** Heads, of 128 values each. */
  readonly heads: number;
  /** The token's, from 0. The tables go on behind it. */
  readonly position: number;
  /** Head after head. */
  readonly values: Float32Array;
  /** One for each value of a head. */
  readonly weight: Float32Array;
  /** Added to the mean of the squares. */
  readonly epsilon: number;
}

const FAMILY = "qk_norm_rope";
const drawn = { parameters: ["heads", "position", "fill", "seed"] };
const GROUPS = { position: drawn, edge: drawn, layer: drawn };

/** Positions from here on have tables so long that they are drawn only when asked for. */
const FAR = 2000;

const address = (group: string, heads: number, position: number, fill: string, seed: number) =>
  addressOf(FAMILY, group, { heads, position, fill, seed });

function addresses(): string[] {
  const heads = [KEY_VALUE_HEADS, ...new Set(Object.values(QUERY_HEADS))];
  return [
    ...[0, 1, 2, 63, 64, 500, 1000].map((position, i) =>
      address("position", 1 + i % 3, position, "hidden", 100 + i)
    ),
    ...Object.keys(VALUES).map((fill, i) => address("edge", 2, 7, fill, 200 + i)),
    ...heads.map((count, i) => address("layer", count, 100 + i, "hidden", 300 + i)),
    address("layer", KEY_VALUE_HEADS, 4095, "hidden", 310),
  ];
}

function shapeOf(address: Address): { heads: number; position: number } {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", VALUES);
  return {
    heads: wholeParameter(address, "heads"),
    position: wholeParameter(address, "position", 0),
  };
}

/** See {@linkcode Family}. */
export const qkNormRope: Family<QkNormRopeInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "bounded",
  words: "f32",
  generatorVersion: 1,
  addresses,
  isLarge: (address) => shapeOf(address).position >= FAR,
  input: (address) => {
    const { heads, position } = shapeOf(address);
    const fill = choiceParameter(address, "fill", VALUES);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    return {
      heads,
      position,
      values: Float32Array.from(
        { length: heads * HEAD },
        (_, i) => fill(random, i % HEAD, HEAD),
      ),
      weight: Float32Array.from({ length: HEAD }, () => weightFill(random)),
      epsilon: EPSILON,
      // The next position's too, for kernels that look there by mistake.
      ...rotaryTables(position + 2),
    };
  },
  cost: (address) => shapeOf(address).heads * HEAD,
  grid: ({ heads }) => ({ rows: HEAD, cols: heads }),
  // What an adapter may do with subnormals and with contraction is in the bounds.
  needs: () => [],
  inputBytes: ({ position, values, weight, epsilon, cos, sin }) =>
    [values, weight, Float32Array.of(epsilon), cos, sin, Uint32Array.of(position)]
      .map((part) => new Uint8Array(part.buffer)),
  reference: ({ heads, position, values, weight, epsilon, ...tables }) =>
    storeBounded(joinBounds(Array.from({ length: heads }, (_, head) =>
      normRope(
        values.subarray(head * HEAD, (head + 1) * HEAD),
        weight,
        epsilon,
        rotationAt(tables, position),
      )))),
  expand: nearestWords,
  bounds: readBounded,
};
