/**
 * Inputs as a kernel sees them whose aligned buffers are bound in each other's place.
 *
 * @module
 */
import { Q1_BLOCK, type Q1Input, Q8_BLOCK } from "../../cases/q1_0_matmul/input.ts";

/** Where the words of a buffer lie in the packed blocks. */
type Words = (input: Q1Input) => {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly size: number;
  at(word: number): number;
};

const weightScales: Words = ({ weights }) => ({
  bytes: weights,
  count: weights.length / Q1_BLOCK,
  size: 2,
  at: (word) => word * Q1_BLOCK,
});

const activationScales: Words = ({ activations }) => ({
  bytes: activations,
  count: activations.length / Q8_BLOCK,
  size: 2,
  at: (word) => word * Q8_BLOCK,
});

const signs: Words = ({ weights }) => ({
  bytes: weights,
  count: 4 * weights.length / Q1_BLOCK,
  size: 4,
  at: (word) => (word >> 2) * Q1_BLOCK + 2 + 4 * (word & 3),
});

const quants: Words = ({ activations }) => ({
  bytes: activations,
  count: 8 * activations.length / Q8_BLOCK,
  size: 4,
  at: (word) => (word >> 3) * Q8_BLOCK + 2 + 4 * (word & 7),
});

/** Scales in place of scales. */
export const scalesExchanged = exchanged(weightScales, activationScales, 1, 1);
/** Sign bits in place of quants. */
export const wordsExchanged = exchanged(signs, quants, 4, 8);

/**
 * The input with two buffers exchanged: as many whole blocks as both can fill, for as many rows and
 * columns as that makes, which need not be whole numbers.
 */
function exchanged(ofWeights: Words, ofActivations: Words, each: number, eachOther: number) {
  const made = new WeakMap<Q1Input, Q1Input>();
  return (input: Q1Input): Q1Input => {
    const known = made.get(input);
    if (known) return known;
    const [weights, activations] = [input.weights.slice(), input.activations.slice()];
    const [from, to] = [ofWeights(input), ofActivations(input)];
    const words = Math.min(from.count, to.count);
    for (let word = 0; word < words; word++) {
      weights.set(part(to, word), from.at(word));
      activations.set(part(from, word), to.at(word));
    }
    const blocks = input.n / 128;
    const rows = Math.floor(words / each) / blocks;
    const fresh = {
      ...input,
      rows,
      distinctRows: rows,
      cols: Math.floor(words / eachOther) / (4 * blocks),
      weights,
      activations,
    };
    made.set(input, fresh);
    return fresh;
  };
}

function part({ bytes, size, at }: ReturnType<Words>, word: number): Uint8Array {
  return bytes.subarray(at(word), at(word) + size);
}
