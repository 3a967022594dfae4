/**
 * A kernel's text made to tell how it came to one word: behind each statement that changes one of
 * its sums the new value is noted, in the order in which that happens, in a buffer of its own.
 *
 * @module
 */
import type { Workers } from "../../kernels/kernel.ts";
import type { TextPlace } from "../runner/verdict.ts";
import { type Edit, edited } from "../wgsl/edit.ts";
import { parseWgsl } from "../wgsl/parse.ts";
import { WgslError } from "../wgsl/reader.ts";
import {
  type Declaration,
  type Expression,
  expressionsIn,
  type FunctionDeclaration,
  type Span,
  type Statement,
  statementsIn,
} from "../wgsl/syntax.ts";
import { beginning, LANES, machinery, PREFIX } from "./trace_machinery.ts";
import { type Accumulator, rolesIn, rootOf } from "./accumulators.ts";

/** A statement whose values are noted. */
export interface Site {
  /** The sum over all blocks so far, or that over a block's sub-blocks. */
  readonly sum: "blocks" | "sub-blocks";
  /** Where it stands. */
  readonly place: TextPlace;
}

/** A text that notes, and how its notes lie in the buffer. */
export interface TracedText {
  readonly text: string;
  /** The buffer's binding. */
  readonly binding: number;
  /** Eight lanes of {@linkcode laneWords} words: a count, then pairs of a site's place and bits. */
  readonly words: number;
  readonly sites: readonly Site[];
  /** Where the text writes its output, if that is one statement. */
  readonly store?: TextPlace;
}

/** Notes that a lane has room for, as a multiple of the contract's. */
const ROOM = 2;

/** Words of a lane's notes in a trace over so many blocks: 5 steps a block. */
export function laneWords(blocks: number): number {
  return 1 + 2 * (5 * ROOM * blocks + 16);
}

/**
 * The text that notes the steps of one word.
 *
 * @returns a reason where the text cannot be made to
 */
export function traceText(
  { text, file }: { readonly text: string; readonly file: string },
  workers: Workers,
  blocks: number,
): TracedText | string {
  try {
    return tracedText(text, file, workers, blocks);
  } catch (error) {
    if (error instanceof WgslError || error instanceof Untraceable) return error.message;
    throw error;
  }
}

/** A text of a form that the notes cannot be written into. */
class Untraceable extends Error {
  override name = "Untraceable";
}

function tracedText(text: string, file: string, workers: Workers, blocks: number): TracedText {
  const declarations = parseWgsl(text);
  const main = declarations.find((one) => one.kind === "function" && one.name === "main");
  if (main?.kind !== "function") throw new Untraceable("it has no function main");
  if (text.includes(PREFIX)) throw new Untraceable(`it uses names that begin with ${PREFIX}`);
  const roles = rolesIn(declarations);
  if (typeof roles === "string") throw new Untraceable(roles);
  const notes = new Notes(text, file, workers);
  notes.addAll("blocks", roles.overBlocks);
  notes.addAll("sub-blocks", roles.overSubBlocks);
  const binding = freeBinding(declarations);
  const words = LANES * laneWords(blocks);
  const id = globalId(main);
  const edits: Edit[] = [
    ...notes.edits,
    ...id.edits,
    insertion(main.body.start + 1, beginning(id.name, workers)),
  ];
  const store = storeIn(declarations, main);
  return {
    text: edited(text, edits) + machinery(binding, words, workers),
    binding,
    words,
    sites: notes.sites,
    ...(store && { store: placeIn(text, file, store) }),
  };
}

/** The notes that a text takes. */
class Notes {
  readonly sites: Site[] = [];
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #file: string;
  /** Sums that one invocation has: of its lanes, or of words of neighbouring columns. */
  readonly #elements: number;

  constructor(text: string, file: string, { lanes, words }: Workers) {
    this.#text = text;
    this.#file = file;
    this.#elements = lanes === "one invocation" ? LANES : words;
  }

  addAll(sum: Site["sum"], variables: readonly Accumulator[]): void {
    // Several single floats are taken for the elements of an array, in the order in which they are
    // declared. That a right word's notes are right shows whether they are.
    const areElements = variables.every(({ shape }) => shape.isOne) &&
      variables.length === this.#elements;
    if (variables.length > 1 && !areElements) {
      if (sum === "sub-blocks") return;
      const names = variables.map(({ name }) => name).join(", ");
      throw new Untraceable(`nothing shows which of ${names} is the sum over the blocks`);
    }
    variables.forEach((one, nth) => {
      for (const assignment of one.assignments) this.#add(sum, one, assignment, nth);
    });
  }

  #add(
    sum: Site["sum"],
    { name, shape }: Accumulator,
    { target, start, end }: Extract<Statement, { kind: "assignment" }>,
    nth: number,
  ): void {
    if (this.#text[end - 1] !== ";") {
      throw new Untraceable(`${name} is changed in the head of a loop`);
    }
    const site = this.sites.push({ sum, place: placeIn(this.#text, this.#file, { start, end }) }) -
      1;
    const note = (element: string, value: string) =>
      ` ${PREFIX}note(${site}u, ${element}, bitcast<u32>(${value}));`;
    const element = this.#elementOf(target);
    const text = shape.isOne
      ? note(`${nth}u`, name)
      : element !== undefined
      ? note(element, this.#source(target))
      : Array.from({ length: shape.count }, (_, i) => note(`${i}u`, `${name}[${i}]`)).join("");
    this.edits.push(insertion(end, text));
  }

  /** Which element a target is; `undefined` where it is all of them. */
  #elementOf(target: Expression): string | undefined {
    switch (target.kind) {
      case "parentheses":
        return this.#elementOf(target.inner);
      case "member": {
        const nth = Math.max("xyzw".indexOf(target.member), "rgba".indexOf(target.member));
        if (target.member.length === 1 && nth >= 0) return `${nth}u`;
        throw new Untraceable(`several elements are changed at once: ${this.#source(target)}`);
      }
      case "index": {
        if ([...expressionsIn(target.index)].some(({ one }) => one.kind === "call")) {
          throw new Untraceable(`an index calls a function: ${this.#source(target)}`);
        }
        return `u32(${this.#source(target.index)})`;
      }
      default:
        return undefined;
    }
  }

  #source({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }
}

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** The name of `global_invocation_id` in main, which is made a parameter where it is none. */
function globalId(main: FunctionDeclaration): { name: string; edits: readonly Edit[] } {
  const builtins = main.parameters.map(({ name, attributes }) => ({
    name,
    builtin: attributes.find((one) => one.name === "builtin")?.args[0],
  }));
  if (builtins.some(({ builtin }) => builtin === undefined)) {
    throw new Untraceable("main takes its ids in a struct");
  }
  const given = builtins.find(({ builtin }) =>
    builtin?.kind === "name" && builtin.text === "global_invocation_id"
  );
  if (given) return { name: given.name, edits: [] };
  const name = `${PREFIX}id`;
  const text = `@builtin(global_invocation_id) ${name}: vec3<u32>, `;
  return { name, edits: [insertion(main.parametersAt, text)] };
}

function freeBinding(declarations: readonly Declaration[]): number {
  const taken = declarations.flatMap(({ attributes }) => attributes)
    .filter(({ name }) => name === "binding")
    .map(({ args: [at] }) => at?.kind === "literal" ? Number.parseInt(at.text) : NaN);
  const free = Math.max(-1, ...taken) + 1;
  if (Number.isNaN(free)) throw new Untraceable("a binding's number is no literal");
  return free;
}

/** The only statement that writes to a storage buffer. */
function storeIn(declarations: readonly Declaration[], main: FunctionDeclaration) {
  const outputs = declarations.filter((one) =>
    one.kind === "variable" && one.space.includes("read_write")
  ).map(({ name }) => name);
  const stores = [...statementsIn(main.body)].filter((one) =>
    one.kind === "assignment" && outputs.includes(rootOf(one.target) ?? "")
  );
  return stores.length === 1 ? stores[0] : undefined;
}

export function placeIn(text: string, file: string, { start }: Span): TextPlace {
  const before = text.slice(0, start).split(/\r?\n/);
  const line = before.length;
  return {
    file,
    line,
    column: before.at(-1)!.length + 1,
    source: text.split(/\r?\n/)[line - 1]!,
  };
}
