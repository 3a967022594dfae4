/**
 * Wrong arithmetic: of the fused operation, of scales, of quants and signs, of what is stored.
 *
 * @module
 */
import { addF32, bitsOfF32, f16OfF32, f32OfBits, f32OfF16, mulF32 } from "../../reference/mod.ts";
import { RIGHT } from "./arithmetic.ts";
import { BUILT_WRONG, flush, flushing, roundedTwice, throughF64 } from "./fused.ts";
import { type Model, model } from "./model.ts";

const signed = (byte: number) => (byte << 24) >> 24;
const isSubnormal = (half: number) => (half & 0x7c00) === 0;
const zeroWhereSubnormal = (half: number) => isSubnormal(half) ? 0 : f32OfF16(half);

/** An exponent of all ones taken for one more. */
const withoutSpecial = (half: number) =>
  (half & 0x7c00) === 0x7c00 ? 2 * f32OfF16(half - 0x400) : f32OfF16(half);

const FUSED: readonly Model[] = [
  model(
    "the product with the weight scale is rounded before it is added: a multiply and an add, or an " +
      "fma that rounds twice",
    { outer: roundedTwice },
    ["fma", "rounds_twice"],
  ),
  model("the fused multiply-add is computed in f64 and rounded again", { outer: throughF64 }),
  ...BUILT_WRONG.map(({ name, fused, byFolding }) =>
    model(name, { outer: fused }, byFolding && ["two_sum", "folded"])
  ),
  model("subnormal operands and results are flushed to zero", {
    outer: flushing,
    weightScale: (half) => flush(f32OfF16(half)),
  }, ["subnormal_in", "flushed"]),
];

const SCALES: readonly Model[] = [
  model("subnormal f16 scales are read as zero", {
    weightScale: zeroWhereSubnormal,
    activationScale: zeroWhereSubnormal,
  }),
  model("subnormal weight scales are read as zero", { weightScale: zeroWhereSubnormal }),
  model("subnormal activation scales are read as zero", { activationScale: zeroWhereSubnormal }),
  model("the sign of the weight scale is lost", { weightScale: (half) => f32OfF16(half & 0x7fff) }),
  model("the sign of the activation scale is lost", {
    activationScale: (half) => f32OfF16(half & 0x7fff),
  }),
  model("the weight scale is left out", { weightScale: () => 1 }),
  model("the activation scale is left out", { activationScale: () => 1 }),
  ...[[2, "twice"], [0.5, "half"]].flatMap(([factor, times]) => {
    const scaled = (half: number) =>
      isSubnormal(half) ? f32OfF16(half) : f32OfF16(half) * (factor as number);
    return [
      model(`normal f16 scales are read as ${times} their value`, {
        weightScale: scaled,
        activationScale: scaled,
      }),
      model(`normal weight scales are read as ${times} their value`, { weightScale: scaled }),
      model(`normal activation scales are read as ${times} their value`, {
        activationScale: scaled,
      }),
    ];
  }),
  model("infinite and NaN scales are read as numbers", {
    weightScale: withoutSpecial,
    activationScale: withoutSpecial,
  }),
  model("the two scales are multiplied first, and every product is rounded", {
    scaleFirst: mulF32,
    inner: roundedTwice,
    outer: (_, ab, acc) => addF32(ab, acc),
  }),
  model("the two scales are multiplied first", {
    scaleFirst: mulF32,
    outer: (_, ab, acc) => addF32(ab, acc),
  }),
];

const QUANTS: readonly Model[] = [
  model("-(-128) is taken as +128: the negation does not wrap in eight bits", {
    subtracted: (byte) => -signed(byte),
  }),
  model("-(-128) is taken as +127: the negation saturates", {
    subtracted: (byte) => Math.min(127, -signed(byte)),
  }),
  model("quants are read as unsigned bytes", {
    added: (byte) => byte,
    subtracted: (byte) => -byte,
  }),
  model("quants are read as unsigned bytes where they are added", { added: (byte) => byte }),
  model("-q keeps seven bits", { subtracted: (byte) => (-signed(byte) << 25) >> 25 }),
  model("-q is taken as the complement of q, one less", { subtracted: (byte) => ~signed(byte) }),
  model("negated quants keep eight bits but no sign", {
    subtracted: (byte) => -signed(byte) & 255,
  }),
  model("the sign bits mean the opposite", {
    added: RIGHT.subtracted,
    subtracted: RIGHT.added,
  }),
  model("the sign bits are ignored: everything is added", { subtracted: RIGHT.added }),
  model("weights with sign bit 0 count as zero", { subtracted: () => 0 }),
  model("sign bits in the other order within a byte", { signOf: (j) => j ^ 7 }),
  model("sign bits in the other order within four", { signOf: (j) => j ^ 3 }),
  model("sign bits in the other order within a word", { signOf: (j) => 31 - j }),
  model("sign bits of the even and the odd lanes exchanged", { signOf: (j) => j ^ 4 }),
  model("sign bits of neighbouring bytes exchanged", { signOf: (j) => j ^ 8 }),
  model("the halves of a word of sign bits exchanged", { signOf: (j) => j ^ 16 }),
  model("the bytes of a word of sign bits in the other order", { signOf: (j) => j ^ 24 }),
  model("every lane takes the sign bits of lane 0", { signOf: (j) => j & 3 }),
  ...[1, 2, 3, 8].map((times) =>
    model(`sign bits are shifted by ${times} times the lane's number, not by four times it`, {
      signOf: (j) => (times * (j >> 2) & 31) + (j & 3),
    })
  ),
  model("the four quants of a word in the other order", { quantOf: (j) => j ^ 3 }),
  model("the halves of a word of quants exchanged", { quantOf: (j) => j ^ 2 }),
  model("neighbouring quants of a word exchanged", { quantOf: (j) => j ^ 1 }),
  model("quants of the even and the odd lanes exchanged", { quantOf: (j) => j ^ 4 }),
  model("quants in the other order within a block", { quantOf: (j) => 31 - j }),
  model("every lane takes the quants of lane 0", { quantOf: (j) => j & 3 }),
  ...[0, 1, 2, 3].flatMap((place) => [
    model(`quant ${place} of each word of four is left out`, { counts: (j) => j % 4 !== place }),
    model(`quant ${place} of each word of four stands for all four`, {
      quantOf: (j) => (j & ~3) | place,
    }),
  ]),
  model("only the first half of each lane's quants counts", { counts: (j) => j % 4 < 2 }),
  // It has too many bits for an exact product; and SwiftShader rounds what is above 2^31 twice.
  ...[
    (s: number) => Math.fround(s >>> 0),
    (s: number) => s < 0 ? Math.fround(Math.fround(s & 0x7fffffff) + 2 ** 31) : s,
  ].map((sum) =>
    model("the sum of four quants is read without its sign", { sum, inner: roundedTwice })
  ),
  model("the sum of four quants keeps eight bits", { sum: signed }),
];

const STORES: readonly Model[] = [
  model("results below zero are stored as zero", { store: (sum) => Math.max(0, sum) }),
  model("results are stored without their sign", { store: Math.abs }),
  model("results are stored with the other sign", { store: (sum) => -sum }),
  model("results are rounded to f16", { store: (sum) => f32OfF16(f16OfF32(sum)) }),
  model("results are rounded to bf16", {
    store: (sum) => {
      const bits = bitsOfF32(sum);
      return f32OfBits((bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000);
    },
  }),
];

export const VALUES: readonly Model[] = [...FUSED, ...SCALES, ...QUANTS, ...STORES];
