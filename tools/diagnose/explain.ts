/**
 * Which way to be wrong explains an output.
 *
 * @module
 */
import type { Q1Input } from "../../cases/q1_0_matmul/input.ts";
import { bitsOfF32 } from "../../reference/mod.ts";
import { sameWord } from "../runner/words.ts";
import { RIGHT, type Rules, wordUnder } from "./arithmetic.ts";
import type { Model } from "./model.ts";
import { MODELS, pairsOf } from "./models.ts";
import { followsRules, type Trace } from "./trace.ts";

/** A model held against an output. */
export interface Explanation {
  /** What the kernel, or the adapter, does. */
  readonly cause: string;
  /** The rule of an adapter's profile, and the answer, that would make it do this. */
  readonly adapterRule?: readonly [rule: string, answer: string];
  /** Differing words that it gives. */
  readonly explained: number;
  /** Differing words looked at, where it is known what it would give. */
  readonly differing: number;
  /** Agreeing words that it would have changed. */
  readonly contradicted: number;
  /** Agreeing words looked at. */
  readonly agreeing: number;
  /** It goes another way to a wrong word than the trace: it may give the same words by chance. */
  readonly againstTrace?: true;
}

/** Weights looked at in one round of all models: about a second. */
const WORK = 30e6;
const MOST_WORDS = 40;
/** Weights looked at for one word of every pair: longer rows take too long, and are left out. */
const PAIR_WORK = 40e6;
let pairs: readonly Model[] | undefined;

/** What is compared: the input, and each word that is there. */
export interface Evidence {
  readonly input: Q1Input;
  readonly expected: Uint32Array;
  readonly actual: Uint32Array;
  /** Places of the words that differ and were written. */
  readonly differing: readonly number[];
  readonly agreeing: readonly number[];
  readonly trace?: Trace;
}

/** Explanations, the best first; none that explains nothing. */
export function explanationsFor(evidence: Evidence): Explanation[] {
  const singles = screened(MODELS, evidence);
  const [best] = singles;
  const known = () => [verified(best!, evidence), ...singles.slice(1)].map(plain);
  if (isComplete(best) && !best!.againstTrace) return known();
  const joined = zerosStored(evidence) ?? lanesMissing(evidence);
  if (isComplete(joined)) return [joined!, ...singles.map(plain)];
  if (isComplete(best)) return known();
  return firstVerified(completePairs(evidence), evidence) ??
    singles.filter((one) => !isComplete(one)).map(plain);
}

/** Pairs that explain a sample of the words without exception: two changes hide each other. */
function completePairs(evidence: Evidence): Tried[] {
  pairs ??= pairsOf(MODELS);
  if (pairs.length * evidence.input.n > PAIR_WORK) return [];
  const differing = sample(evidence.differing, MOST_WORDS);
  return pairs.filter((pair) => isGivenBy(pair, evidence, differing[0]!))
    .map((pair) => held(pair, evidence, differing, sample(evidence.agreeing, MOST_WORDS)))
    // Of so many pairs some meet the words by chance.
    .filter((one) => isComplete(one) && !one.againstTrace);
}

/** Complete ones that are held against all words before the list is given up. */
const VERIFIED = 8;

/** Those that explain all words and not only the sample, before the others; none if none does. */
function firstVerified(ranked: readonly Tried[], evidence: Evidence): Explanation[] | undefined {
  const candidates = ranked.filter(isComplete).slice(0, VERIFIED);
  const whole = candidates.map((one) => verified(one, evidence)).filter(isComplete);
  if (whole.length === 0) return undefined;
  return [...whole, ...ranked.filter((one) => !candidates.includes(one))].map(plain);
}

type Tried = Explanation & { readonly model: Model };

function plain({ model: _, ...explanation }: Tried): Explanation {
  return explanation;
}

/** Does it explain all that differs, and change nothing that agrees? */
export function isComplete(one: Explanation | undefined): boolean {
  return one !== undefined && one.differing > 0 && one.explained === one.differing &&
    one.contradicted === 0;
}

function byWorth(a: Explanation, b: Explanation): number {
  return Number(isComplete(b)) - Number(isComplete(a)) ||
    Number(a.againstTrace ?? false) - Number(b.againstTrace ?? false) ||
    b.explained - b.contradicted - (a.explained - a.contradicted);
}

/** Models on a sample of the words. */
function screened(models: readonly Model[], evidence: Evidence): Tried[] {
  const words = Math.floor(WORK / (models.length * evidence.input.n));
  const count = Math.min(MOST_WORDS, Math.max(4, words));
  const differing = sample(evidence.differing, count);
  const agreeing = sample(evidence.agreeing, Math.ceil(count / 2));
  return models.map((model) => held(model, evidence, differing, agreeing))
    .filter(({ explained }) => explained > 0)
    .sort(byWorth);
}

function held(
  model: Model,
  evidence: Evidence,
  differing: readonly number[],
  agreeing: readonly number[],
): Tried {
  const gives = (at: number) => isGivenBy(model, evidence, at);
  let explained = 0;
  let known = 0;
  for (const at of differing) {
    const isGiven = gives(at);
    if (isGiven === undefined) continue;
    known++;
    if (isGiven) explained++;
    else if (explained === 0 && known > 3) break;
  }
  // Where it cannot be told what half of the words would be, too little is left to go by.
  if (2 * known < differing.length) explained = 0;
  const contradicted = explained === 0 ? 0 : agreeing.filter((at) => gives(at) === false).length;
  const { cause, adapterRule } = model;
  return {
    model,
    cause,
    ...(adapterRule && { adapterRule }),
    explained,
    differing: known,
    contradicted,
    agreeing: agreeing.length,
    ...(explained > 0 && isAgainstTrace(model, evidence) && { againstTrace: true }),
  };
}

/** A word that is right, but another place's, is computed as is right. */
function isAgainstTrace({ rules }: Model, { trace, input }: Evidence): boolean {
  if (!trace) return false;
  const all = { ...RIGHT, ...rules };
  const stored = { ...all, rowOf: RIGHT.rowOf, colOf: RIGHT.colOf };
  return followsRules(trace, all, input) === false && followsRules(trace, stored, input) === false;
}

/** Does the model give the very word that came from the GPU? `undefined` where nobody knows. */
function isGivenBy({ rules }: Model, { input, actual }: Evidence, at: number): boolean | undefined {
  const word = wordUnder(
    { ...RIGHT, ...rules },
    input,
    at % input.rows,
    Math.floor(at / input.rows),
  );
  return word === undefined ? undefined : sameWord(word, actual[at]!, "f32");
}

/** The winner on all words, or on as many as a second allows. */
function verified({ model }: Tried, evidence: Evidence): Tried {
  const words = Math.max(64, Math.floor(WORK / evidence.input.n));
  return held(
    model,
    evidence,
    sample(evidence.differing, words),
    sample(evidence.agreeing, words),
  );
}

/** Evenly spread; all where they are few. */
function sample(places: readonly number[], count: number): readonly number[] {
  if (places.length <= count) return places;
  return Array.from({ length: count }, (_, i) => places[Math.floor(i * places.length / count)]!);
}

/** The trace saw every lane come out right, and each wrong word is zero. */
function zerosStored({ input, actual, differing, trace }: Evidence): Explanation | undefined {
  if (!trace || followsRules(trace, RIGHT, input) !== true) return undefined;
  if (!differing.every((at) => actual[at] === 0)) return undefined;
  return {
    cause: "every lane is right, and zeros are stored: workgroup memory is read before it is " +
      "written, as without a barrier, or the sum is lost",
    explained: differing.length,
    differing: differing.length,
    contradicted: 0,
    agreeing: 0,
  };
}

/** In each word some lanes but not all are zero when they are joined. */
function lanesMissing(evidence: Evidence): Explanation | undefined {
  const { input, differing, trace } = evidence;
  if (trace && followsRules(trace, RIGHT, input) === false) return undefined;
  const looked = sample(differing, Math.max(4, Math.min(64, Math.floor(WORK / 4 / input.n))));
  const missing = looked.map((at) => missingLanes(evidence, at));
  const explained = missing.filter((sets) => sets.size > 0).length;
  if (explained === 0) return undefined;
  const [first, ...others] = missing;
  const same = [...first ?? []].find((set) => others.every((sets) => sets.has(set)));
  const lanes = Array.from({ length: 8 }, (_, lane) => lane).filter((lane) => same! >> lane & 1);
  return {
    cause: same !== undefined && others.length > 0
      ? `lanes ${lanes.join(", ")} are dropped`
      : "some lanes are zero when they are joined, not the same ones everywhere: workgroup " +
        "memory is read before it is written, as without a barrier",
    explained,
    differing: looked.length,
    contradicted: 0,
    agreeing: 0,
  };
}

/** The sets of lanes, as bits, without which the rest gives the word. */
function missingLanes({ input, actual }: Evidence, at: number): Set<number> {
  const found = new Set<number>();
  const join: Rules["join"] = (lanes) => {
    for (let missing = 1; missing < 255; missing++) {
      const left = lanes.map((lane, i) => (missing >> i) & 1 ? 0 : lane);
      if (sameWord(bitsOfF32(RIGHT.join(left)), actual[at]!, "f32")) found.add(missing);
    }
    return 0;
  };
  wordUnder({ ...RIGHT, join }, input, at % input.rows, Math.floor(at / input.rows));
  return found;
}
