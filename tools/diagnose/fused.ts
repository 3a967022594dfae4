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

/** The built operation of the kernels with its parts exchangeable. */
function built(twoSum: TwoSum, adjust: ToOdd, mask = 0xfffff000): Fused {
  return (a, b, c) => {
    if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return fmaF32(a, b, c);
    const high = f32OfBits((bitsOfF32(b) & mask) >>> 0);
    const low = addF32(b, -high);
    const [product, productError] = twoSum(mulF32(a, high), mulF32(a, low));
    const [total, totalError] = twoSum(product, c);
    const [rest, lost] = twoSum(totalError, productError);
    return addF32(total, adjust(rest, lost));
  };
}

/** No adjustment where the built operation meets an infinity or a NaN. */
function unguarded(twoSum: TwoSum): Fused {
  const finite = built(twoSum, toOdd);
  return (a, b, c) =>
    Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(c) ? finite(a, b, c) : NaN;
}

/** The wrong ways to build it, by what is wrong. */
export const BUILT_WRONG: readonly { readonly name: string; readonly fused: Fused }[] = [
  { name: "TwoSum folded in the built fma: (a + b) - a became b", fused: built(folded, toOdd) },
  { name: "TwoSum half folded in the built fma", fused: built(halfFolded, toOdd) },
  { name: "FastTwoSum in the built fma, whatever the sizes", fused: built(fast, toOdd) },
  { name: "rounding to odd left out of the built fma", fused: built(knuth, notToOdd) },
  { name: "rounding to odd the wrong way in the built fma", fused: built(knuth, wrongWay) },
  {
    name: "the built fma's special case for infinities and NaN left out",
    fused: unguarded(knuth),
  },
];

/** Right, by the built operation itself. */
export const builtRight: Fused = built(knuth, toOdd);
