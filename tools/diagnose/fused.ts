/**
 * Fused multiply-adds that are almost right.
 *
 * @module
 */
import { addF32, bitsOfF32, f32OfBits, fmaF32, mulF32 } from "../../reference/mod.ts";

type Fused = (a: number, b: number, c: number) => number;
type TwoSum = (a: number, b: number) => readonly [sum: number, error: number];

/** The product is rounded by itself. */
export const roundedTwice: Fused = (a, b, c) => addF32(mulF32(a, b), c);

/** Computed in f64 and rounded again. */
export const throughF64: Fused = (a, b, c) => Math.fround(a * b + c);

/** As an adapter that keeps no subnormals computes it. */
export const flushing: Fused = (a, b, c) => flush(fmaF32(flush(a), flush(b), flush(c)));

/** A subnormal as the zero of its sign. */
export function flush(x: number): number {
  return Math.abs(x) < 2 ** -126 ? x * 0 : x;
}

const knuth: TwoSum = (a, b) => {
  const sum = addF32(a, b);
  const bPart = addF32(sum, -a);
  const aPart = addF32(sum, -bPart);
  return [sum, addF32(addF32(a, -aPart), addF32(b, -bPart))];
};

/** (a + b) - a folded to b: no error is ever seen. */
const folded: TwoSum = (a, b) => [addF32(a, b), 0];

/** sum - a is the compiler's b only; what remains of a is computed. */
const halfFolded: TwoSum = (a, b) => {
  const sum = addF32(a, b);
  return [sum, addF32(a, -addF32(sum, -b))];
};

/** Dekker's, right only where |a| ≥ |b|. */
const fast: TwoSum = (a, b) => {
  const sum = addF32(a, b);
  return [sum, addF32(b, -addF32(sum, -a))];
};

/** What happens to the rest before the last addition. */
type ToOdd = (rest: number, lost: number) => number;

const toOdd: ToOdd = (rest, lost) => {
  const bits = bitsOfF32(rest);
  if (lost === 0 || (bits & 1) !== 0) return rest;
  const isAway = ((bitsOfF32(lost) ^ bits) >>> 31) === 0;
  return f32OfBits(isAway ? bits + 1 : bits - 1);
};

const notToOdd: ToOdd = (rest) => rest;

const wrongWay: ToOdd = (rest, lost) => toOdd(rest, -lost);

/** The TwoSum of the two partial products, that with the addend, and that of what both lost. */
type TwoSums = readonly [ofProducts: TwoSum, withAddend: TwoSum, ofErrors: TwoSum];

const RIGHT_SUMS: TwoSums = [knuth, knuth, knuth];

/** The built operation of the kernels with its parts exchangeable. */
function built(
  [ofProducts, withAddend, ofErrors]: TwoSums,
  adjust: ToOdd,
  highBits = 0xfffff000,
): Fused {
  return (a, b, c) => {
    if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return fmaF32(a, b, c);
    const high = f32OfBits((bitsOfF32(b) & highBits) >>> 0);
    const low = addF32(b, -high);
    const [product, productError] = ofProducts(mulF32(a, high), mulF32(a, low));
    const [total, totalError] = withAddend(product, c);
    const [rest, lost] = ofErrors(totalError, productError);
    return addF32(total, adjust(rest, lost));
  };
}

/** Without the special case: TwoSum meets infinities, and inf - inf is a NaN. */
const unguarded: Fused = (a, b, c) =>
  Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(c) ? builtRight(a, b, c) : NaN;

/** Right, by the built operation itself. */
export const builtRight: Fused = built(RIGHT_SUMS, toOdd);

/** A built operation that is wrong, and how it came to be so. */
export interface BuiltWrong {
  readonly name: string;
  readonly fused: Fused;
  /** A compiler that folds sums does this to a kernel that hides nothing. */
  readonly byFolding?: true;
}

const foldedIn = (which: string, sums: TwoSums): BuiltWrong => ({
  name: `(a + b) - a is folded to b in the built fma, in its ${which}: the rounding error is lost`,
  fused: built(sums, toOdd),
  byFolding: true,
});

/** The wrong ways to build it. That all errors are lost is the same as rounding twice. */
export const BUILT_WRONG: readonly BuiltWrong[] = [
  // What Mesa 22.3.6 does to a kernel without `hide`.
  foldedIn("TwoSum with the addend", [knuth, folded, knuth]),
  foldedIn("TwoSum of the two partial products", [folded, knuth, knuth]),
  {
    name: "TwoSum half folded in the built fma",
    fused: built([halfFolded, halfFolded, halfFolded], toOdd),
    byFolding: true,
  },
  {
    name: "FastTwoSum in the built fma, whatever the sizes",
    fused: built([fast, fast, fast], toOdd),
  },
  // The same as its third TwoSum folded: nothing lost is seen, and nothing is adjusted.
  { name: "rounding to odd left out of the built fma", fused: built(RIGHT_SUMS, notToOdd) },
  { name: "rounding to odd the wrong way in the built fma", fused: built(RIGHT_SUMS, wrongWay) },
  ...[0xffffff00, 0xffff0000].map((bits) => ({
    name:
      "the factor is split at the wrong bit in the built fma, so that a partial product is rounded " +
      `(split by ${bits.toString(16)})`,
    fused: built(RIGHT_SUMS, toOdd, bits),
  })),
  { name: "the built fma's special case for infinities and NaN left out", fused: unguarded },
];
