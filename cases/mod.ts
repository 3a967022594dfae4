/**
 * What is tried: every family and its cases, by address.
 *
 * @module
 */
import { argmax } from "./argmax/family.ts";
import { type Address, AddressError, parseAddress } from "./address.ts";
import { dequantize, embedding } from "./packed_rows/family.ts";
import type { Family } from "./family.ts";
import { q1_0Matmul } from "./q1_0_matmul/family.ts";
import { q2_0Matmul } from "./q2_0_matmul/family.ts";
import { ternaryPopcount } from "./ternary_popcount/family.ts";
import { q8_0Quantize } from "./q8_0_quantize/family.ts";
import { rmsNorm } from "./rms_norm/family.ts";
import { swiglu } from "./swiglu/family.ts";
import { qkNormRope } from "./qk_norm_rope/family.ts";
import { ropeKvWrite } from "./rope_kv_write/family.ts";
import { attention } from "./attention/family.ts";
import { rmsNormExact } from "./rms_norm_exact/family.ts";
import { swigluExact } from "./swiglu_exact/family.ts";
import { ropeExact } from "./rope_exact/family.ts";
import { softmaxExact } from "./softmax_exact/family.ts";
import { decodeLayer } from "./decode_layer/family.ts";
import { q1Projection } from "./q1_projection/family.ts";
import { lmHead } from "./lm_head/family.ts";

export { type Address, AddressError, formatAddress, parseAddress } from "./address.ts";
export type { Bounds } from "./bounded.ts";
export type { Family, Grid, OutputPart, RowRange, RuleNeed, WordKind } from "./family.ts";
export type { Q1Input } from "./q1_0_matmul/input.ts";
export type { Q2Input } from "./q2_0_matmul/input.ts";

/** Every family. A new one is added here. */
// deno-lint-ignore no-explicit-any -- families of different inputs stand in one list
export const FAMILIES: readonly Family<any>[] = [
  q1_0Matmul,
  argmax,
  q8_0Quantize,
  dequantize,
  embedding,
  q2_0Matmul,
  ternaryPopcount,
  rmsNorm,
  swiglu,
  qkNormRope,
  ropeKvWrite,
  attention,
  rmsNormExact,
  swigluExact,
  ropeExact,
  softmaxExact,
  decodeLayer,
  q1Projection,
  lmHead,
];

/** One concrete input of a family, determined by its address. */
export interface Case {
  /** Its name everywhere. */
  readonly address: string;
  /** The address in its parts. */
  readonly parsed: Address;
  /** What it is a case of. */
  // deno-lint-ignore no-explicit-any -- see FAMILIES
  readonly family: Family<any>;
}

/**
 * The case that an address names. Any address that a family can draw is a case; the ones listed by
 * {@linkcode allCases} have goldens.
 *
 * @throws {AddressError}
 */
export function caseAt(address: string): Case {
  const parsed = parseAddress(address);
  const family = FAMILIES.find((f) => f.name === parsed.family);
  if (!family) {
    throw new AddressError(
      `Cannot make case "${address}": there is no family "${parsed.family}". ` +
        `Use one of ${FAMILIES.map((f) => f.name).join(", ")}.`,
    );
  }
  family.cost(parsed); // throws where the parameters name no case
  return { address, parsed, family };
}

/** Every listed case, in the order in which they are run and stored. */
export function allCases(): Case[] {
  return FAMILIES.flatMap((family) =>
    family.addresses().map((address) => ({ address, parsed: parseAddress(address), family }))
  );
}

/** More work than this, in weight products, is a matrix of a whole model: see {@linkcode quickCases}. */
const QUICK_COST = 3e6;

/** The listed cases but the matrices of whole models: under a second's work on a CPU all together. */
export function quickCases(): Case[] {
  return allCases().filter(({ family, parsed }) => family.cost(parsed) <= QUICK_COST);
}
