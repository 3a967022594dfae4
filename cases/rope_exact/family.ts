/**
 * The family `rope_exact`: heads turned by their position, in one order of rounded operations.
 *
 * @module
 */
import { ROTARY_BASE } from "../bonsai.ts";
import { ropeExact as reference } from "../../reference/rope_exact.ts";
import { rotaryTable } from "../../reference/rotary.ts";
import {
  type Address,
  AddressError,
  addressOf,
  choiceParameter,
  formatAddress,
  groupOf,
  wholeParameter,
} from "../address.ts";
import { type Family, PLAIN } from "../family.ts";
import { below, mulberry32, type Random } from "../random.ts";
import { f32Words, highWord, lowWord, wordOfExponent } from "../tame_words.ts";

/** Heads of tokens that follow each other. */
export interface RopeInput {
  /** Values in a head: twice a power of two. */
  readonly head: number;
  /** Heads of a token. */
  readonly heads: number;
  readonly tokens: number;
  /** f32 bits, token after token, head after head. */
  readonly values: Uint32Array;
  /** Of the first token, in the tables. */
  readonly position: number;
  /** f32 bits at position · head / 2 + d. */
  readonly cos: Uint32Array;
  readonly sin: Uint32Array;
}

/** Qwen3's. */

/** The tables begin so many positions before the first token, or at position 0. */
const BEFORE = 7;

interface Fill {
  readonly value: (random: Random) => number;
  /** In place of a cosine or sine. */
  readonly turn?: (random: Random) => number;
}

const layer = (random: Random) => wordOfExponent(random, 121, 131);
const sometimes = (other: (random: Random) => number) => (random: Random) =>
  (below(random, 8) === 0 ? other : layer)(random);

const FILLS: Readonly<Record<string, Fill>> = {
  layer: { value: layer },
  /** Products that are nothing, and sums that cancel to nothing. */
  low: { value: sometimes(lowWord) },
  small: { value: (random) => wordOfExponent(random, 0, 30) },
  high: { value: sometimes(highWord) },
  any: { value: (random) => wordOfExponent(random, 0, 256) },
  /** Tables that no position has. */
  any_turn: { value: layer, turn: (random) => wordOfExponent(random, 0, 256) },
  special_turn: {
    value: layer,
    turn: sometimes((random) => below(random, 2) ? lowWord(random) : highWord(random)),
  },
};

const FAMILY = "rope_exact";
const drawn = { parameters: ["head", "heads", "tokens", "position", "fill", "seed"] };
const GROUPS = { size: drawn, edge: drawn, layer: drawn };

interface Shape {
  readonly head: number;
  readonly heads: number;
  readonly tokens: number;
  readonly position: number;
}

const address = (group: string, shape: Shape, fill: string, seed: number) =>
  addressOf(FAMILY, group, { ...shape, fill, seed });

function addresses(): string[] {
  const shape = (head: number, heads: number, tokens: number, position: number): Shape => ({
    head,
    heads,
    tokens,
    position,
  });
  return [
    shape(2, 1, 1, 0),
    shape(2, 65, 2, 1),
    shape(4, 31, 3, 5),
    shape(64, 3, 4, 6),
    shape(128, 1, 5, 8),
    shape(256, 2, 2, 100),
  ].map((one, i) => address("size", one, "layer", 100 + i))
    .concat(
      Object.keys(FILLS).map((fill, i) => address("edge", shape(64, 4, 3, 11), fill, 200 + i)),
    )
    .concat(
      // The query and key heads of 1.7B and 8B; the last position of their context.
      [[16, 0], [8, 1], [32, 4096], [16, 32_767]].map(([heads, position], i) =>
        address("layer", shape(128, heads!, 1, position!), "layer", 300 + i)
      ),
    );
}

function shapeOf(address: Address): Shape {
  groupOf(address, FAMILY, GROUPS);
  choiceParameter(address, "fill", FILLS);
  const head = wholeParameter(address, "head", 2);
  if (!Number.isInteger(Math.log2(head))) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": head is ${head}, and must be a power of two.`,
    );
  }
  return {
    head,
    heads: wholeParameter(address, "heads"),
    tokens: wholeParameter(address, "tokens"),
    position: wholeParameter(address, "position", 0),
  };
}

/** See {@linkcode Family}. */
export const ropeExact: Family<RopeInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "f32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { head, heads, tokens, position } = shapeOf(address);
    const { value, turn } = choiceParameter(address, "fill", FILLS);
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const values = Uint32Array.from({ length: head * heads * tokens }, () => value(random));
    const before = Math.min(position, BEFORE);
    const table = rotaryTable(ROTARY_BASE, head / 2, position - before, before + tokens);
    const turns = (part: Float32Array) => f32Words(part).map((word) => turn?.(random) ?? word);
    return {
      head,
      heads,
      tokens,
      values,
      position: before,
      cos: turns(table.cos),
      sin: turns(table.sin),
    };
  },
  cost: (address) => {
    const { head, heads, tokens } = shapeOf(address);
    return head * heads * tokens;
  },
  grid: ({ head, heads, tokens }) => ({ rows: head * heads, cols: tokens }),
  // Tame numbers alone: no rule of an adapter matters.
  needs: () => [],
  inputBytes: ({ values, cos, sin }) =>
    [values, cos, sin].map((part) => new Uint8Array(part.buffer)),
  reference: ({ head, heads, tokens, values, position, cos, sin }, rows) => {
    const all = head * heads;
    const { first, count } = rows ?? { first: 0, count: all };
    const words = new Uint32Array(count * tokens);
    const table = (part: Uint32Array, token: number) =>
      new Float32Array(part.buffer, 2 * head * (position + token), head / 2);
    for (let token = 0; token < tokens; token++) {
      const turned = new Float32Array(all);
      for (let at = 0; at < all; at += head) {
        const one = new Float32Array(values.buffer, 4 * (token * all + at), head);
        turned.set(reference(one, table(cos, token), table(sin, token)), at);
      }
      words.set(f32Words(turned).subarray(first, first + count), token * count);
    }
    return words;
  },
  expand: (stored) => stored,
};
