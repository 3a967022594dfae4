/**
 * f32 words around the ends of the tame numbers (`reference/tame.ts`), and what is none.
 *
 * @module
 */
import { bitsOfF32 } from "../reference/f32.ts";
import { below, type Random } from "./random.ts";

/** The bits of a value as an f32. */
export const f32Word = (value: number): number =>
  new Uint32Array(Float32Array.of(value).buffer)[0]!;

/** The bits of tame numbers; every NaN is 0x7fc00000. */
export const f32Words = (values: Float32Array): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(values, bitsOfF32);

/** Zero, the smallest f32, the largest subnormal, 2^-126, and 2^-125 and its neighbours. */
const LOW = [0, 1, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x1000001];
/** 2^127 and its neighbours, the largest f32, infinity, and NaN, signalling and quiet. */
const HIGH = [0x7effffff, 0x7f000000, 0x7f000001, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc12345];

/** With any sign. */
export const signedWord = (random: Random, size: number): number =>
  ((random() & 0x80000000) | size) >>> 0;

/** Draws one of the small ends. */
export const lowWord = (random: Random): number =>
  signedWord(random, LOW[below(random, LOW.length)]!);

/** Draws one of the large ends, or what is no number. */
export const highWord = (random: Random): number =>
  signedWord(random, HIGH[below(random, HIGH.length)]!);

/** Any bits, but of exponents `first` to below `end` (0 to 255). */
export const wordOfExponent = (random: Random, first: number, end: number): number =>
  signedWord(random, (first + below(random, end - first)) << 23 | (random() & 0x7fffff));
