/**
 * The family `ternary_popcount`: ternary weights in two planes of bits times activations of one bit.
 *
 * @module
 */
import { matmulTernary, type TernaryInput } from "../../reference/ternary.ts";
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
import { mulberry32, type Random } from "../random.ts";

export type { TernaryInput } from "../../reference/ternary.ts";

const FAMILY = "ternary_popcount";

/** Draws a word of each plane of weights. */
type WeightFill = (random: Random) => readonly [plus: number, minus: number];
/** Draws a word of signs. */
type SignFill = (random: Random) => number;

const ALL = 0xffffffff;

const WEIGHTS: Readonly<Record<string, WeightFill>> = {
  /** A third each, near enough: a half is none, and the others are shared out. */
  ternary: (random) => {
    const [used, plus] = [random(), random()];
    return [used & plus, used & ~plus];
  },
  plus: () => [ALL, 0],
  minus: () => [0, ALL],
  none: () => [0, 0],
  /** No ternary matrix has these: a plane each for itself, and both set. */
  overlapping: (random) => [random(), random()],
  both: () => [ALL, ALL],
  /** The first and the last weight of a word. */
  ends: () => [1, 0x80000000],
};

const SIGNS: Readonly<Record<string, SignFill>> = {
  random: (random) => random(),
  ones: () => ALL,
  zeros: () => 0,
  last: () => 0x80000000,
};

const GROUPS = {
  tile: { parameters: ["rows", "n", "cols", "seed"] },
  edge: { parameters: ["rows", "n", "cols", "weights", "signs", "seed"] },
};

// Around a workgroup of 64 rows, and n in odd and even numbers of words, to Bonsai's widest.
const ROWS = [1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129];
const LENGTHS = [32, 64, 96, 128, 160, 2048, 4096, 12_288];

function addresses(): string[] {
  return [
    ...ROWS.map((rows, i) =>
      addressOf(FAMILY, "tile", { rows, n: LENGTHS[i % 5]!, cols: 1 + i % 4, seed: 100 + i })
    ),
    ...LENGTHS.map((n, i) => addressOf(FAMILY, "tile", { rows: 5, n, cols: 3, seed: 200 + i })),
    ...Object.keys(WEIGHTS).flatMap((weights, w) =>
      Object.keys(SIGNS).map((signs, s) =>
        addressOf(FAMILY, "edge", {
          rows: 9,
          n: 160,
          cols: 3,
          weights,
          signs,
          seed: 300 + 10 * w + s,
        })
      )
    ),
  ];
}

function shapeOf(address: Address) {
  groupOf<{ readonly parameters: readonly string[] }>(address, FAMILY, GROUPS);
  const n = wholeParameter(address, "n");
  if (n % 32 !== 0) {
    throw new AddressError(
      `Cannot make case "${formatAddress(address)}": n is ${n}, and must be a multiple of 32.`,
    );
  }
  return { n, rows: wholeParameter(address, "rows"), cols: wholeParameter(address, "cols") };
}

/** See {@linkcode Family}. Its words are sums, which are integers. */
export const ternaryPopcount: Family<TernaryInput> = {
  ...PLAIN,
  name: FAMILY,
  contract: "exact",
  words: "u32",
  generatorVersion: 1,
  addresses,
  input: (address) => {
    const { n, rows, cols } = shapeOf(address);
    const isEdge = address.group === "edge";
    const weight = isEdge ? choiceParameter(address, "weights", WEIGHTS) : WEIGHTS.ternary!;
    const sign = isEdge ? choiceParameter(address, "signs", SIGNS) : SIGNS.random!;
    const random = mulberry32(wholeParameter(address, "seed", 0));
    const pairs = Array.from({ length: rows * n / 32 }, () => weight(random));
    return {
      n,
      rows,
      cols,
      plus: Uint32Array.from(pairs, ([plus]) => plus),
      minus: Uint32Array.from(pairs, ([, minus]) => minus),
      signs: Uint32Array.from({ length: cols * n / 32 }, () => sign(random)),
    };
  },
  cost: (address) => {
    const { n, rows, cols } = shapeOf(address);
    return n * rows * cols;
  },
  grid: ({ rows, cols }) => ({ rows, cols }),
  needs: () => [],
  inputBytes: ({ plus, minus, signs }) =>
    [plus, minus, signs].map((plane) => new Uint8Array(plane.buffer)),
  reference: (input, rows) => {
    if (!rows) return matmulTernary(input);
    const part = (plane: Uint32Array) =>
      plane.subarray(rows.first * input.n / 32, (rows.first + rows.count) * input.n / 32);
    const [plus, minus] = [part(input.plus), part(input.minus)];
    return matmulTernary({ ...input, rows: rows.count, plus, minus });
  },
  expand: (stored) => stored,
};
