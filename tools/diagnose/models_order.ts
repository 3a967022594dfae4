/**
 * Lanes, blocks and sub-blocks summed in another order, left out or added twice.
 *
 * @module
 */
import { addF32 } from "../../reference/mod.ts";
import { RIGHT } from "./arithmetic.ts";
import { type Model, model } from "./model.ts";

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

const LANES = Array.from({ length: 8 }, (_, lane) => lane);

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
  model("the even lanes are joined twice, the odd ones not", {
    join: (a) => RIGHT.join(a.map((_, i) => a[i & ~1]!)),
  }),
  model("the odd lanes are joined twice, the even ones not", {
    join: (a) => RIGHT.join(a.map((_, i) => a[i | 1]!)),
  }),
  model("the last four lanes are taken from the first four", {
    join: (a) => RIGHT.join(a.map((_, i) => a[i & 3]!)),
  }),
  ...LANES.map((lane) => [
    model(`lane ${lane} is dropped`, {
      join: (a) => RIGHT.join(a.map((value, i) => i === lane ? 0 : value)),
    }),
    ...LANES.filter((other) => other !== lane).map((other) =>
      model(`lane ${lane} is taken from lane ${other}`, {
        join: (a) => RIGHT.join(a.map((value, i) => i === lane ? a[other]! : value)),
      })
    ),
  ]).flat(),
];

const all = RIGHT.blocks;
const BLOCKS: readonly Model[] = [
  model("the last block of each row is left out", { blocks: (count) => all(count).slice(0, -1) }),
  model("the last block is left out where a row has more than one", {
    blocks: (count) => count === 1 ? [0] : all(count).slice(0, -1),
  }),
  model("the last block is left out where a row has an odd number of them", {
    blocks: (count) => count % 2 === 1 ? all(count).slice(0, -1) : all(count),
  }),
  model("the first block of each row is left out", { blocks: (count) => all(count).slice(1) }),
  model("every second block is left out", {
    blocks: (count) => all(count).filter((block) => block % 2 === 0),
  }),
  model("only the first block is summed", { blocks: () => [0] }),
  model("only the last block is summed", { blocks: (count) => [count - 1] }),
  model("the last block is added twice", { blocks: (count) => [...all(count), count - 1] }),
  model("the first block is added twice", { blocks: (count) => [0, ...all(count)] }),
  model("one block too many is added: the next row's first", {
    blocks: (count) => [...all(count), count],
  }),
  model("blocks are added from the last to the first", {
    blocks: (count) => [...all(count)].reverse(),
  }),
  ...[0, 1, 2, 3].flatMap((k) => [
    model(`sub-block ${k} of each block is left out`, {
      subBlocks: RIGHT.subBlocks.filter((one) => one !== k),
    }),
    model(`only sub-block ${k} of each block is summed`, { subBlocks: [k] }),
    model(`sub-block ${k} of each block is added twice`, {
      subBlocks: RIGHT.subBlocks.flatMap((one) => one === k ? [one, one] : [one]),
    }),
  ]),
  model("one sub-block too many is added: the next block's first", { subBlocks: [0, 1, 2, 3, 4] }),
  model("sub-blocks are added from the last to the first", { subBlocks: [3, 2, 1, 0] }),
  model("the sum over the sub-blocks is not begun anew with each block", { keepsSubBlocks: true }),
];

export const ORDERS: readonly Model[] = [...JOINS, ...BLOCKS];
