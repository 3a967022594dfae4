/**
 * Ways to be wrong, each with the cause that it stands for.
 *
 * @module
 */
import { addF32, f32OfF16 } from "../../reference/mod.ts";
import { RIGHT, type Rules } from "./arithmetic.ts";
import { BUILT_WRONG, flush, flushing, roundedTwice, throughF64 } from "./fused.ts";

/** A changed rule or two, and what that means. */
export interface Model {
  readonly cause: string;
  readonly rules: Partial<Rules>;
  /** A rule of an adapter's profile, with the answer that would make it do this. */
  readonly adapterRule?: readonly [rule: string, answer: string];
}

const model = (
  cause: string,
  rules: Partial<Rules>,
  adapterRule?: Model["adapterRule"],
): Model => ({ cause, rules, ...(adapterRule && { adapterRule }) });

const signed = (byte: number) => (byte << 24) >> 24;
const isSubnormal = (half: number) => (half & 0x7c00) === 0;
const zeroWhereSubnormal = (half: number) => isSubnormal(half) ? 0 : f32OfF16(half);

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
  model("the weight scale of the block after", {
    scaleBlock: (block, count) => Math.min(block + 1, count - 1),
  }),
  model("the weight scale of the block before", { scaleBlock: (block) => Math.max(block - 1, 0) }),
  model("the weight scale of the row's first block everywhere", { scaleBlock: () => 0 }),
  model("the activation scale of the first sub-block in all four", { scaleSubBlock: () => 0 }),
  model("the activation scales in reverse order", { scaleSubBlock: (k) => 3 - k }),
  model("the activation scale of the next sub-block", { scaleSubBlock: (k) => (k + 1) % 4 }),
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
  model("the four quants of a word in the other order", { quantOf: (j) => j ^ 3 }),
  model("quants in the other order within a block", { quantOf: (j) => 31 - j }),
  model("the first quant of each word left out", { quantOf: (j) => j, added: RIGHT.added }),
];

const HALVES = {
  right: (a: number, b: number, c: number, d: number) => addF32(addF32(a, c), addF32(b, d)),
  "(0+1)+(2+3)": (a: number, b: number, c: number, d: number) => addF32(addF32(a, b), addF32(c, d)),
  "(0+3)+(1+2)": (a: number, b: number, c: number, d: number) => addF32(addF32(a, d), addF32(b, c)),
  "((0+1)+2)+3": (a: number, b: number, c: number, d: number) => addF32(addF32(addF32(a, b), c), d),
};

/** Each half of the lanes in each order; the contract's own is left out. */
const JOINS_BY_HALVES: readonly Model[] = Object.entries(HALVES).flatMap(([evenName, even]) =>
  Object.entries(HALVES).filter(([oddName]) => evenName !== "right" || oddName !== "right")
    .map(([oddName, odd]) =>
      model(
        "lanes are summed in another order: of four lanes " +
          `${evenName} in the even ones, ${oddName} in the odd ones`,
        {
          join: (a) =>
            addF32(
              even(a[0]!, a[2]!, a[4]!, a[6]!),
              odd(a[1]!, a[3]!, a[5]!, a[7]!),
            ),
        },
      )
    )
);

const sum = (lanes: readonly number[]) => lanes.reduce((total, lane) => addF32(total, lane));

const JOINS: readonly Model[] = [
  ...JOINS_BY_HALVES,
  model("lanes are summed in another order: one after the other", { join: (a) => sum([...a]) }),
  model("lanes are summed in another order: one after the other from the last", {
    join: (a) => sum([...a].reverse()),
  }),
  model("lanes are summed in another order: neighbours first", {
    join: (a) =>
      addF32(
        addF32(addF32(a[0]!, a[1]!), addF32(a[2]!, a[3]!)),
        addF32(addF32(a[4]!, a[5]!), addF32(a[6]!, a[7]!)),
      ),
  }),
  model("lanes are summed in another order: ((0+4)+(1+5))+((2+6)+(3+7))", {
    join: (a) =>
      addF32(
        addF32(addF32(a[0]!, a[4]!), addF32(a[1]!, a[5]!)),
        addF32(addF32(a[2]!, a[6]!), addF32(a[3]!, a[7]!)),
      ),
  }),
  ...Array.from({ length: 8 }, (_, lane) => [
    model(`lane ${lane} is dropped`, {
      join: (a) => RIGHT.join(a.map((value, i) => i === lane ? 0 : value)),
    }),
    model(`lane ${lane} is taken from lane ${(lane + 1) % 8}`, {
      join: (a) => RIGHT.join(a.map((value, i) => i === lane ? a[(lane + 1) % 8]! : value)),
    }),
    model(`lane ${lane} is taken from lane ${(lane + 7) % 8}`, {
      join: (a) => RIGHT.join(a.map((value, i) => i === lane ? a[(lane + 7) % 8]! : value)),
    }),
  ]).flat(),
];

const all = RIGHT.blocks;
const BLOCKS: readonly Model[] = [
  model("the last block of each row is left out", { blocks: (count) => all(count).slice(0, -1) }),
  model("the last block is left out where a row has more than one", {
    blocks: (count) => count === 1 ? [0] : all(count).slice(0, -1),
  }),
  model("the first block of each row is left out", { blocks: (count) => all(count).slice(1) }),
  model("every second block is left out", {
    blocks: (count) => all(count).filter((block) => block % 2 === 0),
  }),
  model("only the first block is summed", { blocks: () => [0] }),
  model("the last block is added twice", { blocks: (count) => [...all(count), count - 1] }),
  model("the first block is added twice", { blocks: (count) => [0, ...all(count)] }),
  model("blocks are added from the last to the first", {
    blocks: (count) => [...all(count)].reverse(),
  }),
  ...[0, 1, 2, 3].flatMap((k) => [
    model(`sub-block ${k} of each block is left out`, {
      subBlocks: RIGHT.subBlocks.filter((one) => one !== k),
    }),
    model(`only sub-block ${k} of each block is summed`, { subBlocks: [k] }),
  ]),
  model("sub-blocks are added from the last to the first", { subBlocks: [3, 2, 1, 0] }),
];

const PLACES: readonly Model[] = [
  model("each row is computed from the row after", {
    rowOf: (row, { rows }) => Math.min(row + 1, rows - 1),
  }),
  model("each row is computed from the row before", { rowOf: (row) => Math.max(row - 1, 0) }),
  model("every row is computed from row 0", { rowOf: () => 0 }),
  model("rows are computed in reverse order", { rowOf: (row, { rows }) => rows - 1 - row }),
  model("each column is computed from the column after", {
    colOf: (col, { cols }) => Math.min(col + 1, cols - 1),
  }),
  model("each column is computed from the column before: stale activations", {
    colOf: (col) => Math.max(col - 1, 0),
  }),
  model("every column is computed from column 0: stale activations", { colOf: () => 0 }),
  model("every column of a tile of four is computed from its first", { colOf: (col) => col & ~3 }),
  model("columns of a tile of four in reverse order", {
    colOf: (col, { cols }) => Math.min(col ^ 3, cols - 1),
  }),
];

/** Every model of one change. */
export const MODELS: readonly Model[] = [
  ...FUSED,
  ...SCALES,
  ...QUANTS.filter(({ rules }) => Object.keys(rules).length > 0),
  ...JOINS,
  ...BLOCKS,
  ...PLACES,
];

/** Two changes at once, where they are about different rules. */
export function pairOf(a: Model, b: Model): Model | undefined {
  const names = Object.keys(a.rules);
  if (Object.keys(b.rules).some((name) => names.includes(name))) return undefined;
  return { cause: `${a.cause}; and ${b.cause}`, rules: { ...a.rules, ...b.rules } };
}
