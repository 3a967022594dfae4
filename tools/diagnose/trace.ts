/**
 * How a GPU came to a word, step by step, held against the reference: the first step that left it.
 *
 * @module
 */
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { bitsOfF32, dotQ1_0, Q1_0_BLOCK, Q8_0_BLOCK, rowBytes } from "../../reference/mod.ts";
import type { TextPlace } from "../runner/verdict.ts";
import { sameWord } from "../runner/words.ts";
import { type Rules, wordUnder } from "./arithmetic.ts";
import { LANES } from "./trace_machinery.ts";
import { laneWords, type Site } from "./trace_text.ts";

/** A value that a statement gave to a sum. */
export interface Note {
  /** Its place in {@linkcode Trace.sites}. */
  readonly site: number;
  /** f32 bits. */
  readonly bits: number;
}

/** The notes of one word. */
export interface Traced {
  /** The word's place. */
  readonly row: number;
  /** Its column. */
  readonly col: number;
  /** In the order in which they were made; eight. */
  readonly lanes: readonly (readonly Note[])[];
}

/** What a traced run told. */
export interface Trace {
  /** The statements that were noted. */
  readonly sites: readonly Site[];
  /** The statement that writes the output, where there is only one. */
  readonly store?: TextPlace;
  /** A word that differs. */
  readonly wrong: Traced;
  /** A word that agrees, where there is one: its steps show that those of the text can be compared. */
  readonly right?: Traced;
}

/** The first step of a word that is not the reference's. */
export interface Departure {
  /** The word's place. */
  readonly row: number;
  /** Its column. */
  readonly col: number;
  /** From 0; absent where all lanes are right and what joins or stores them is not. */
  readonly lane?: number;
  /** From 0. */
  readonly block?: number;
  /** 0 to 3: a sub-block. `sum`: the sum over the blocks, after the four. */
  readonly step?: number | "sum";
  /** f32 bits; absent where no step was due. */
  readonly expected?: number;
  /** f32 bits; absent where the step never came. */
  readonly actual?: number;
  /** The statement that took the step. */
  readonly place?: TextPlace;
}

/** Reads a lane's notes from a trace's words; a count that was never written is no note. */
export function notesIn(words: Uint32Array, blocks: number): Note[][] {
  const each = laneWords(blocks);
  return Array.from({ length: LANES }, (_, lane) => {
    const part = words.subarray(lane * each, (lane + 1) * each);
    const room = (each - 1) / 2;
    // What stood there before is a NaN's bits, more than any count.
    const count = part[0]! > 2 ** 30 ? 0 : Math.min(part[0]!, room);
    return Array.from({ length: count }, (_, i) => ({
      site: part[1 + 2 * i]!,
      bits: part[2 + 2 * i]!,
    }));
  });
}

/**
 * The first step of the wrong word that left the reference: of the earliest block, in the lowest
 * lane.
 *
 * @returns a reason where the text's steps cannot be compared with the reference's
 */
export function departureOf(trace: Trace, input: Q1Input): Departure | string {
  const { sites, store, wrong } = trace;
  const compared = comparedIn(trace, input);
  if (!compared.sums) {
    return "the text takes other steps than the reference, to right words too: they cannot be " +
      "compared";
  }
  const first = firstWrong(sites, wrong, input, compared.subBlocks);
  const { row, col } = wrong;
  return first ?? { row, col, ...(store && { place: store }) };
}

/**
 * Are the sums of the wrong word's lanes those of the rules? `undefined` where the text takes other
 * steps than the contract even on the way to a right word.
 */
export function followsRules(trace: Trace, rules: Rules, input: Q1Input): boolean | undefined {
  const { sites, wrong } = trace;
  if (!comparedIn(trace, input).sums) return undefined;
  const steps = Array.from({ length: LANES }, () => [] as number[]);
  const watch = (lane: number, value: number) => void steps[lane]!.push(bitsOfF32(value));
  wordUnder(rules, input, wrong.row, wrong.col, watch);
  const each = rules.subBlocks.length + 1;
  return steps.every((of, lane) => {
    const sums = of.filter((_, i) => i % each === each - 1);
    const noted = sumsOf(sites, wrong.lanes[lane]!);
    return noted.length === sums.length &&
      noted.every((bits, i) => sameWord(sums[i]!, bits, "f32"));
  });
}

/**
 * Which steps of the text can be compared with the reference's: those that are right on the way to
 * a right word. Not all must be, since the last additions round small errors away; a text that goes
 * another way has none.
 */
function comparedIn({ sites, right }: Trace, input: Q1Input) {
  if (!right) return { sums: true, subBlocks: true };
  const steps = stepsOf(input, right.row, right.col);
  let [sums, subBlocks] = [false, false];
  steps.forEach((of, lane) => {
    const blocks = blocksOf(sites, right.lanes[lane]!);
    blocks.forEach(({ subBlocks: noted, sum }, block) => {
      const [, , , fourth, due] = of.slice(5 * block, 5 * block + 5);
      if (due === undefined || !sum || isZero(due) || !sameWord(due, sum.bits, "f32")) return;
      const isLast = block === input.n / 128 - 1 && block === blocks.length - 1;
      sums ||= isLast;
      subBlocks ||= noted.length === 4 && sameWord(fourth!, noted[3]!.bits, "f32");
    });
  });
  return { sums, subBlocks };
}

function isZero(bits: number): boolean {
  return (bits & 0x7fffffff) === 0;
}

function sumsOf(sites: readonly Site[], notes: readonly Note[]): number[] {
  return notes.filter(({ site }) => sites[site]!.sum === "blocks").map(({ bits }) => bits);
}

interface Block {
  readonly subBlocks: readonly Note[];
  readonly sum?: Note;
}

/** Notes by block: a sum over the blocks ends each. */
function blocksOf(sites: readonly Site[], notes: readonly Note[]): Block[] {
  const blocks: Block[] = [];
  let subBlocks: Note[] = [];
  for (const note of notes) {
    if (sites[note.site]?.sum === "sub-blocks") {
      subBlocks.push(note);
    } else {
      blocks.push({ subBlocks, sum: note });
      subBlocks = [];
    }
  }
  return subBlocks.length > 0 ? [...blocks, { subBlocks }] : blocks;
}

function firstWrong(
  sites: readonly Site[],
  { row, col, lanes }: Traced,
  input: Q1Input,
  withSubBlocks: boolean,
): Departure | undefined {
  const steps = stepsOf(input, row, col);
  const actual = lanes.map((notes) => blocksOf(sites, notes));
  const blocks = Math.max(input.n / 128, ...actual.map((of) => of.length));
  for (let block = 0; block < blocks; block++) {
    for (let lane = 0; lane < LANES; lane++) {
      const right = steps[lane]!.slice(5 * block, 5 * block + 5);
      const wrong = wrongStep(right, actual[lane]![block], withSubBlocks);
      if (!wrong) continue;
      const { note, ...rest } = wrong;
      const place = note && sites[note.site]?.place;
      return {
        row,
        col,
        lane,
        block,
        ...rest,
        ...(note && { actual: note.bits }),
        ...(place && { place }),
      };
    }
  }
  return undefined;
}

/** Where a block's sum is wrong: the first of its steps that is. */
function wrongStep(
  right: readonly number[],
  block: Block | undefined,
  withSubBlocks: boolean,
): (Pick<Departure, "expected"> & { step: number | "sum"; note?: Note }) | undefined {
  const [sum, note] = [right[4], block?.sum];
  if (note && sum !== undefined && sameWord(sum, note.bits, "f32")) return undefined;
  const subBlocks = block?.subBlocks ?? [];
  // A block that has no notes of sub-blocks is of a text that does not show them.
  if (withSubBlocks && sum !== undefined && subBlocks.length > 0) {
    for (let step = 0; step < 4; step++) {
      const noted = subBlocks[step];
      if (noted && sameWord(right[step]!, noted.bits, "f32")) continue;
      return { step, expected: right[step]!, ...(noted && { note: noted }) };
    }
  }
  return { step: "sum", ...(sum !== undefined && { expected: sum }), ...(note && { note }) };
}

/** Every step of the reference, for each lane five a block. */
function stepsOf(input: Q1Input, row: number, col: number): number[][] {
  const { n, distinctRows, weights, activations } = input;
  const steps = Array.from({ length: LANES }, () => [] as number[]);
  dotQ1_0(
    n,
    weights,
    (row % distinctRows) * rowBytes(Q1_0_BLOCK, n),
    activations,
    col * rowBytes(Q8_0_BLOCK, n),
    (lane, value) => steps[lane]!.push(bitsOfF32(value)),
  );
  return steps;
}
