/**
 * Asking an adapter every probe: its rules.
 *
 * @module
 */
import { ulpDistance } from "../runner/words.ts";
import { ACCURACY } from "./accuracy.ts";
import { ARITHMETIC } from "./arithmetic.ts";
import { runProbe } from "./dispatch.ts";
import { INTEGERS } from "./integers.ts";
import { LOOP_TEXT, LOOPS, UNLIMITED } from "./loops.ts";
import { EDGE_WORDS, edgeWords, MEMORY, MEMORY_TEXT, whereWritten } from "./memory.ts";
import { type Accuracy, bitsOf, type Probe } from "./probe.ts";
import { SPECIALS } from "./specials.ts";
import { wordsKernel } from "./words_text.ts";

/** What an adapter does, by rule: the name of an answer, or a number (rounds, ulp). */
export type Rules = Readonly<Record<string, string | number>>;

/** The packed dot products are a language feature: a module of their own may fail alone. */
const OPTIONAL = INTEGERS.filter(({ rule }) => rule.startsWith("packed_dot"));
const WORDS: readonly Probe[] = [
  ...ARITHMETIC,
  ...SPECIALS,
  ...INTEGERS.filter((probe) => !OPTIONAL.includes(probe)),
];

/** Every probe that one word answers. */
export const WORD_PROBES: readonly Probe[] = [...WORDS, ...OPTIONAL];

/** What a rule is called whose probe the adapter cannot compile. */
export const ABSENT = "absent";

/** An output word that no kernel here writes. */
const UNTOUCHED = 0xffa5c3d2;

/** Runs all probes, the kernels side by side. */
export async function measureRules(device: GPUDevice): Promise<Rules> {
  const parts = await Promise.all([
    measureWords(device, WORDS, ACCURACY),
    measureWords(device, OPTIONAL),
    measureLoops(device),
    measureMemory(device),
  ]);
  const { subgroupMinSize: least, subgroupMaxSize: most } = device.adapterInfo;
  const subgroup = most === undefined ? ABSENT : least === most ? most : `${least} to ${most}`;
  return Object.assign({}, ...parts, { subgroup_size: subgroup });
}

async function measureWords(
  device: GPUDevice,
  probes: readonly Probe[],
  accuracy: readonly Accuracy[] = [],
): Promise<Rules> {
  const { text, input, count } = wordsKernel(probes, accuracy);
  const outputs = await runProbe(device, {
    text,
    buffers: [
      { kind: "input", words: input },
      { kind: "output", words: new Uint32Array(count).fill(UNTOUCHED) },
      { kind: "output", words: new Uint32Array(4) },
      { kind: "uniform", words: new Uint32Array(4) },
    ],
    workgroups: count,
  });
  const rules = [...probes, ...accuracy].map(({ rule }) => rule);
  if (typeof outputs === "string") return Object.fromEntries(rules.map((rule) => [rule, ABSENT]));
  const words = outputs[0]!;
  let at = probes.length;
  return Object.fromEntries([
    ...probes.map(({ rule, answers }, i) => [rule, answerOf(answers, words[i]!)]),
    ...accuracy.map((one) => {
      const part = words.subarray(at, at += one.inputs.length);
      return [one.rule, largestUlp(one, part)];
    }),
  ]);
}

/** The name of the answer that a word is. */
export function answerOf(answers: Readonly<Record<string, number>>, word: number): string {
  const found = Object.entries(answers).find(([, answer]) => answer >>> 0 === word);
  return found ? found[0] : `other: ${word.toString(16).padStart(8, "0")}`;
}

function largestUlp({ inputs, right }: Accuracy, words: Uint32Array): string | number {
  const distances = inputs.map(([a, b = 0], i) => ulpDistance(bitsOf(right(a, b)), words[i]!));
  const known = distances.filter((distance) => distance !== undefined);
  return known.length < distances.length ? "nan" : Math.max(...known);
}

async function measureLoops(device: GPUDevice): Promise<Rules> {
  const outputs = await runProbe(device, {
    text: LOOP_TEXT,
    buffers: [
      { kind: "input", words: new Uint32Array(4).fill(1) },
      { kind: "output", words: new Uint32Array(LOOPS.length).fill(UNTOUCHED) },
      { kind: "uniform", words: new Uint32Array(4) },
    ],
    workgroups: LOOPS.length,
  });
  return Object.fromEntries(LOOPS.map(({ rule, rounds }, i) => {
    if (typeof outputs === "string") return [rule, ABSENT];
    const made = outputs[0]![i]!;
    return [rule, made === rounds ? UNLIMITED : made];
  }));
}

async function measureMemory(device: GPUDevice): Promise<Rules> {
  const outputs = await runProbe(device, {
    text: MEMORY_TEXT,
    buffers: [
      { kind: "output", words: edgeWords(), bound: EDGE_WORDS },
      { kind: "output", words: new Uint32Array(4) },
      { kind: "uniform", words: new Uint32Array(4) },
    ],
    workgroups: 1,
  });
  return Object.fromEntries(MEMORY.map(({ rule, answers }, i) => {
    if (typeof outputs === "string") return [rule, ABSENT];
    const [edge, words] = outputs as [Uint32Array, Uint32Array];
    return [rule, answerOf(answers, i === 3 ? whereWritten(edge) : words[i]!)];
  }));
}
